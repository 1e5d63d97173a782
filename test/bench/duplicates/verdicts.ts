/** Says what a checkout makes of pairs of links: `bun verdicts.ts PAIRS VERDICTS`, two files of JSON. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Option, Stream } from "effect"
import { Embeddings } from "../../../src/library/Embeddings.ts"
import { SaveLink } from "../../../src/library/SaveLink.ts"
import { pageKeys } from "../../../src/organize/PageKeys.ts"
import { Reader } from "../../../src/search/Reader.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { found } from "../../support/links.ts"
import { requestOf } from "../../support/saving.ts"
import { embedderOf, openLibrary } from "../realLinks.ts"

/** A link as its page describes it. */
export interface Described {
  readonly url: string
  readonly title: string
  readonly description: string
}
export type Pair = readonly [Described, Described]

/** Whether the two addresses of a pair are one page by their keys, by the groups proposed, and when they are saved. */
export interface Verdict {
  readonly byAddress: boolean
  readonly proposed: boolean
  readonly atSaving: boolean
}

const byAddress = ([one, other]: Pair) => {
  const keys = pageKeys(one.url, null, null)
  return pageKeys(other.url, null, null).some((key) => keys.includes(key))
}

/** Writes a link under its own address, as one that was saved before the rules of today. */
const add = Effect.fnUntraced(function* ({ description, title, url }: Described) {
  const links = yield* LinkStore
  const embeddings = yield* Embeddings
  const { hostname: host } = new URL(url)
  const { link } = yield* links.upsert({ url, normalizedUrl: url, host, note: "", tags: [] })
  const written = yield* links.finish(link.id, found({ url, title, description, text: description }))
  if (Option.isSome(written)) yield* embeddings.writeVector(written.value, Option.none())
  return Number(link.id)
})

const proposals = Effect.fnUntraced(function* (pairs: ReadonlyArray<Pair>) {
  const ids: Array<readonly [number, number]> = []
  for (const [one, other] of pairs) ids.push([yield* add(one), yield* add(other)])
  const embeddings = yield* Embeddings
  yield* embeddings.catchUp(() => Effect.void)
  const embedder = Option.getOrNull(yield* embeddings.inUse)
  const last = Option.getOrNull(yield* Stream.runLast((yield* Reader).findDuplicates(embedder)))
  const groups: ReadonlyArray<{ readonly ids: ReadonlyArray<number> }> =
    last?.type === "groups" ? last.groups : []
  const groupOf = new Map(groups.flatMap((group, at) => group.ids.map((id) => [id, at] as const)))
  return ids.map(
    ([one, other]) => one === other || (groupOf.has(one) && groupOf.get(one) === groupOf.get(other))
  )
})

const savings = Effect.fnUntraced(function* (pairs: ReadonlyArray<Pair>) {
  const saving = yield* SaveLink
  const same: Array<boolean> = []
  for (const links of pairs) {
    const [one, other] = yield* saving.upsert(links.map(({ url }) => requestOf(url)))
    same.push(one !== undefined && one.link.id === other?.link.id)
  }
  return same
})

if (import.meta.main) {
  const [input = "", output = ""] = process.argv.slice(2)
  const pairs: ReadonlyArray<Pair> = JSON.parse(readFileSync(input, "utf8"))
  const folder = mkdtempSync(join(tmpdir(), "linkbower-duplicates-"))
  const proposing = openLibrary(join(folder, "proposing.db"), embedderOf(Bun.env["ENCODER"]))
  const proposed = await proposing.runPromise(proposals(pairs))
  await proposing.dispose()
  const library = openLibrary(join(folder, "saving.db"))
  const atSaving = await library.runPromise(savings(pairs))
  await library.dispose()
  rmSync(folder, { recursive: true })
  const verdicts = pairs.map(
    (pair, at): Verdict => ({
      byAddress: byAddress(pair),
      proposed: proposed[at] === true,
      atSaving: atSaving[at] === true
    })
  )
  writeFileSync(output, JSON.stringify(verdicts))
  process.exit()
}
