import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Layer, ManagedRuntime, Option } from "effect"
import { library } from "../../src/Application.ts"
import { Embedder } from "../../src/enrich/embedding/Embedder.ts"
import { Embeddings } from "../../src/library/Embeddings.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { DATA } from "../support/data.ts"
import { silentEnricher } from "../support/fakeEnricher.ts"
import { storesAt } from "../support/library.ts"
import { found } from "../support/links.ts"
import { randomOf } from "../support/randomLibrary.ts"

/** A link of a curated list and its section. */
export interface RealLink {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly list: string
  readonly section: string
}

/** The real links beside the checkout, from 21 lists. */
export const realLinks = (): ReadonlyArray<RealLink> =>
  ["links.jsonl", "links-validation.jsonl"].flatMap((name) =>
    readFileSync(join(DATA, name), "utf8")
      .trim()
      .split("\n")
      .map((line): RealLink => JSON.parse(line))
  )

/**
 * Makes `size` links: the real ones, then mixtures of two links of a section, which keep the distribution of words and
 * meanings. Each has about 150 words of page text from other links.
 */
export const makeLinks = (size: number) => {
  const real = realLinks()
  const next = randomOf(size)
  const bySection = Map.groupBy(real, ({ list, section }) => `${list} ${section}`)
  const pick = <A>(all: ReadonlyArray<A>, otherwise: A) => all[Math.floor(next() * all.length)] ?? otherwise
  return Array.from({ length: size }, (_, n) => {
    const one = real[n % real.length]
    if (one === undefined) throw new Error("there are no real links")
    const other = n < real.length ? one : pick(bySection.get(`${one.list} ${one.section}`) ?? [], one)
    const words = `${one.title} ${other.description}`.split(" ")
    const title = n < real.length ? one.title : `${one.title} ${pick(words, "")} ${n}`
    const text = Array.from({ length: 8 }, () => pick(real, one).description).join(" ")
    const url = new URL(one.url)
    url.searchParams.set("n", String(n))
    return { url: url.href, title, description: other.description, text, of: one }
  })
}
type MadeLink = ReturnType<typeof makeLinks>[number]

/** The embedder that the settings name, else the table, beside the encoder if its file is given. */
export const embedderOf = (encoder: string | undefined) => {
  const spawn = (file: string) => () =>
    new Worker(new URL("../../src/Thread.ts", import.meta.url), { argv: ["encoder", file] })
  return Layer.orDie(Embedder.layerWith(Effect.succeed(Option.map(Option.fromNullable(encoder), spawn))))
}

/** The library over a database at `filename`, without network access unless the embedder has it. */
export const openLibrary = (filename: string, embedder: Layer.Layer<Embedder> = Embedder.builtIn) =>
  ManagedRuntime.make(
    Layer.provideMerge(library, Layer.mergeAll(storesAt(filename), silentEnricher, embedder))
  )

/** Writes the links with their vectors in large transactions. */
const write = Effect.fnUntraced(function* (all: ReadonlyArray<MadeLink>) {
  const links = yield* LinkStore
  const embeddings = yield* Embeddings
  const transaction = yield* Transaction
  const save = Effect.fnUntraced(function* ({ description, text, title, url }: MadeLink) {
    const { host } = new URL(url)
    const { link } = yield* links.upsert({ url, normalizedUrl: url, host, note: "", tags: [] })
    const written = yield* links.finish(link.id, found({ url, title, description, text }))
    if (Option.isSome(written)) yield* embeddings.writeVector(written.value, Option.none())
  })
  for (let at = 0; at < all.length; at += 500)
    yield* transaction(Effect.forEach(all.slice(at, at + 500), save, { discard: true }))
})

/** Makes a library of `size` such links: `data/library.db` in the folder. */
export const makeLibrary = async (folder: string, size: number) => {
  mkdirSync(join(folder, "data"), { recursive: true })
  const runtime = openLibrary(join(folder, "data", "library.db"))
  await runtime.runPromise(write(makeLinks(size)))
  await runtime.dispose()
}
