import { rmSync } from "node:fs"
import { join } from "node:path"
import { Effect, Option, Schema } from "effect"
import { parseQuery } from "../../src/domain/LinkQuery.ts"
import { builtIn } from "../../src/enrich/embedding/BuiltIn.ts"
import { tokens } from "../../src/enrich/embedding/Tokens.ts"
import { Embeddings } from "../../src/library/Embeddings.ts"
import { SearchLinks } from "../../src/library/SearchLinks.ts"
import { Reader } from "../../src/search/Reader.ts"
import { makeLibrary, openLibrary, realLinks } from "./realLinks.ts"

const QUERIES = 500
const SHOWN = 50

const idOf = Schema.decodeSync(Schema.parseJson(Schema.Struct({ id: Schema.Int })))

/** Another form of a word: singular or plural, another form of the verb. */
const otherForm = (word: string): string => {
  if (/(?:ss|us|is)$/.test(word)) return `${word}es`
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`
  if (word.endsWith("s")) return word.slice(0, -1)
  if (word.endsWith("ing")) return `${word.slice(0, -3)}ed`
  if (word.endsWith("ed")) return `${word.slice(0, -2)}ing`
  if (word.endsWith("e")) return `${word}d`
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`
}

const reciprocalRank = (ids: ReadonlyArray<number>, id: number) => {
  const place = ids.indexOf(id)
  return place < 0 ? 0 : 1 / (place + 1)
}

/** The mean reciprocal rank of a half-remembered link by words, by meaning and by both. */
export const quality = async () => {
  const size = realLinks().length
  const { folder, made } = await makeLibrary(size)
  const runtime = openLibrary(join(folder, "data", "library.db"))
  const spread = new Map<string, number>()
  for (const { description, title } of made)
    for (const word of new Set(tokens(`${title} ${description}`)))
      spread.set(word, (spread.get(word) ?? 0) + 1)

  /** Three of the rarer words of a description that other links share. */
  const wordsOf = (description: string) =>
    [...new Set(description.toLowerCase().match(/[a-z]{4,}/g) ?? [])]
      .map((word) => ({ word, links: spread.get(tokens(word)[0] ?? "") ?? 0 }))
      .filter(({ links }) => links >= 3)
      .sort((a, b) => a.links - b.links)
      .slice(0, 3)
      .map(({ word }) => word)

  const askable = made.flatMap(({ description }, at) => {
    const words = wordsOf(description)
    return words.length === 3 ? [{ id: at + 1, words }] : []
  })
  const asked = askable.filter((_, at) => at % Math.floor(askable.length / QUERIES) === 0).slice(0, QUERIES)

  const search = (text: string) =>
    Effect.gen(function* () {
      const query = { ...parseQuery(text, 0), sort: "relevance" as const, limit: SHOWN }
      const reader = yield* Reader
      const embedder = Option.getOrThrow(yield* (yield* Embeddings).inUse)
      const words = yield* reader.rank({ query, meaning: null })
      const meaning = yield* reader.nearest(embedder, builtIn.embedQuery(text), SHOWN)
      const both = yield* (yield* SearchLinks).page(query)
      return [
        words.links.map((link) => idOf(link).id),
        meaning.map(({ id }) => id),
        both.links.map((link) => idOf(link).id)
      ]
    })

  for (const [name, form] of [
    ["three of the rarer words of its description", (word: string) => word],
    ["the same words in another form", otherForm]
  ] as const) {
    const sums = [0, 0, 0]
    for (const { id, words } of asked)
      for (const [way, ids] of (await runtime.runPromise(search(words.map(form).join(" ")))).entries())
        sums[way] = (sums[way] ?? 0) + reciprocalRank(ids, id)
    const [words, meaning, both] = sums.map((sum) => (sum / asked.length).toFixed(3))
    console.log(
      `MRR of ${asked.length} links of ${size}, ${name}: words ${words}, meaning ${meaning}, both ${both}`
    )
  }
  await runtime.dispose()
  rmSync(folder, { recursive: true, force: true })
}
