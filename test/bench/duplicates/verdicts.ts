/** Prints what the checkout that this file lies in says of the labelled pairs, as JSON. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
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
import { openLibrary } from "../realLinks.ts"
import { type Described, labelledPairs } from "./pairs.ts"

/** Whether the two addresses of a pair are one page by their keys, by the groups proposed, and when they are saved. */
export interface Verdict {
  readonly byAddress: boolean
  readonly proposed: boolean
  readonly atSaving: boolean
}

export interface Verdicts {
  readonly pairs: ReadonlyArray<Verdict>
  /** Groups proposed of links that are not a labelled pair. */
  readonly strangers: ReadonlyArray<ReadonlyArray<string>>
}

const pairs = labelledPairs()
const folder = mkdtempSync(join(tmpdir(), "linkbower-duplicates-"))
mkdirSync(join(folder, "data"))

const byAddress = ({ links: [one, other] }: (typeof pairs)[number]) => {
  const keys = pageKeys(one.url, null, null)
  return pageKeys(other.url, null, null).some((key) => keys.includes(key))
}

/** Writes a link under its own address, as one that was saved before the rules of today. */
const add = Effect.fnUntraced(function* ({ description, title, url }: Described) {
  const links = yield* LinkStore
  const embeddings = yield* Embeddings
  const { hostname: host } = new URL(url)
  const { link } = yield* links.claim({ url, normalizedUrl: url, host, note: "", tags: [] })
  const written = yield* links.finish(link.id, found({ url, title, description, text: description }))
  if (Option.isSome(written)) yield* embeddings.writeVector(written.value, Option.none())
  return link.id
})

const proposals = Effect.gen(function* () {
  const ids: Array<readonly [number, number]> = []
  const addresses = new Map<number, string>()
  for (const { links } of pairs) {
    const [one, other] = [yield* add(links[0]), yield* add(links[1])]
    ids.push([one, other])
    addresses.set(one, links[0].url).set(other, links[1].url)
  }
  const embedder = Option.getOrNull(yield* (yield* Embeddings).inUse)
  const last = yield* Stream.runLast((yield* Reader).findDuplicates(embedder))
  const groups = Option.match(last, {
    onNone: () => [],
    onSome: (step) => (step.type === "groups" ? step.groups : [])
  })
  const groupOf = new Map(groups.flatMap((group, at) => group.ids.map((id) => [id, at] as const)))
  const inOne = ([one, other]: readonly [number, number]) =>
    one === other || (groupOf.has(one) && groupOf.get(one) === groupOf.get(other))
  const labelled = new Set(ids.flatMap((pair) => (inOne(pair) ? pair : [])))
  const strangers = groups.filter(
    (group) => group.ids.some((id) => !labelled.has(id)) || group.ids.length > 2
  )
  return {
    proposed: ids.map(inOne),
    strangers: strangers.map((group) => group.ids.map((id) => addresses.get(id) ?? ""))
  }
})

const savings = Effect.gen(function* () {
  const saving = yield* SaveLink
  const same: Array<boolean> = []
  for (const { links } of pairs) {
    const claims = yield* saving.claim(links.map(({ url }) => requestOf(url)))
    same.push(claims[0] !== undefined && claims[0].link.id === claims[1]?.link.id)
  }
  return same
})

const proposing = openLibrary(join(folder, "data", "proposing.db"))
const { proposed, strangers } = await proposing.runPromise(proposals)
await proposing.dispose()
const library = openLibrary(join(folder, "data", "saving.db"))
const atSaving = await library.runPromise(savings)
await library.dispose()
rmSync(folder, { recursive: true })

const verdicts: Verdicts = {
  pairs: pairs.map((pair, at) => ({
    byAddress: byAddress(pair),
    proposed: proposed[at] === true,
    atSaving: atSaving[at] === true
  })),
  strangers
}
await Bun.write(Bun.stdout, JSON.stringify(verdicts))
process.exit()
