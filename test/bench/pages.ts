import { statSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { PageStore } from "../../src/store/pages/PageStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { found, newLink } from "../support/links.ts"
import { pageToKeep } from "../support/pages.ts"
import { randomOf } from "../support/randomLibrary.ts"
import { newFolder, sizeOf } from "./harness.ts"
import { openStores } from "./requests.ts"

/**
 * Lengths of articles in UTF-16 units, at these shares of all: of the 167 among 189 recorded pages (`shared/data/pages`)
 * that have an article.
 */
const LENGTHS = [
  [0, 12],
  [0.05, 72],
  [0.25, 851],
  [0.5, 4_063],
  [0.75, 10_894],
  [0.95, 39_962],
  [1, 110_574]
] as const
const BATCH = 250

const random = randomOf(10)

const lengthOf = (share: number): number => {
  const above = LENGTHS.findIndex(([at]) => at >= share)
  const [[from, least] = [0, 12], [to, most] = [1, 0]] = [LENGTHS[above - 1], LENGTHS[above]]
  return Math.round(least + ((share - from) / (to - from)) * (most - least))
}

/** Words as often as in a text (Zipf's law): the second one half as often as the first. */
const words = Array.from({ length: 20_000 }, () =>
  Array.from({ length: 2 + Math.floor(random() * 8) }, () =>
    String.fromCharCode(97 + Math.floor(random() ** 2 * 26))
  ).join("")
)
const word = () => words[Math.floor(words.length ** random()) - 1] ?? "a"
const sentence = () => Array.from({ length: 12 }, word).join(" ")

/** An article of about this length: paragraphs, and a heading and a link here and there. */
const articleOf = (length: number): string => {
  let html = ""
  while (html.length < length) {
    if (random() < 0.1) html += `<h2>${word()} ${word()}</h2>`
    const link = random() < 0.3 ? ` <a href="https://example.org/${word()}/${word()}">${word()}</a>` : ""
    html += `<p>${sentence()}. ${sentence()}${link}. ${sentence()}.</p>`
  }
  return html
}

/** The bytes that 10,000 kept pages take, beside those of their links with the text for searching. */
export const pages = async () => {
  const size = sizeOf(10_000)
  const articles = Array.from({ length: size }, () => articleOf(lengthOf(random())))
  const megabytes: Array<number> = []
  for (const isKept of [false, true]) {
    const file = join(newFolder(), "library.db")
    const runtime = openStores(file)
    const save = Effect.fnUntraced(function* (html: string, at: number) {
      const links = yield* LinkStore
      const text = html.replace(/<[^>]*>/g, " ").slice(0, 32_768)
      const { link } = yield* links.claim(newLink(`${at}`))
      yield* links.finish(link.id, found({ title: sentence(), description: sentence(), text }))
      if (isKept) yield* (yield* PageStore).keep(link.id, pageToKeep("", { html }))
    })
    for (let from = 0; from < size; from += BATCH)
      await runtime.runPromise(
        Effect.flatMap(Transaction, (transaction) =>
          transaction(
            Effect.forEach(articles.slice(from, from + BATCH), (html, at) => save(html, from + at), {
              discard: true
            })
          )
        )
      )
    await runtime.dispose()
    megabytes.push(statSync(file).size / 1e6)
  }
  const [without = 0, kept = 0] = megabytes
  const characters = articles.reduce((sum, { length }) => sum + length, 0) / 1e6
  console.log(
    `${size} links take ${without.toFixed(0)} MB; their pages (${characters.toFixed(0)} million characters) ${(kept - without).toFixed(0)} MB more`
  )
}
