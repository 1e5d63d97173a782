import { Effect } from "effect"
import type { LinkId } from "../../src/domain/Link.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { found, newLink } from "../support/links.ts"

/** The content of link number `n`: as long as a real link, with rare and common words. */
const material = (n: number) => ({
  link: newLink(`${n}`, { tags: [] }),
  enrichment: found(
    {
      title: `A title about subject ${n % 97} and matter ${n % 1009}`,
      description: `What a page of some length says about subject ${n % 97}, in about as many words as a summary has.`,
      text:
        `word${n} `.repeat(20) + "common words in the readable text of a page, and more of them. ".repeat(10)
    },
    {
      summary: {
        summary: `What a page of some length says about subject ${n % 97}, in about as many words as a summary has.`,
        tags: ["one", "two"],
        category: ["reading", "programming", "cooking"][n % 3] ?? null
      }
    }
  )
})

/** Claims link number `n`: one durable commit of a row, its tags and its full-text entry. */
export const claim = (n: number) =>
  Effect.flatMap(LinkStore, (links) => Effect.map(links.claim(material(n).link), ({ link }) => link.id))

/** Writes the enrichment of link number `n`: another such commit. */
export const finish = (id: LinkId, n: number) =>
  Effect.flatMap(LinkStore, (links) => links.finish(id, material(n).enrichment))

/** Fills the library with the links `from` to `to` in large transactions. */
export const fill = Effect.fnUntraced(function* (from: number, to: number) {
  const transaction = yield* Transaction
  for (let at = from; at < to; at += 1_000) {
    const batch = Array.from({ length: Math.min(1_000, to - at) }, (_, index) => at + index)
    yield* transaction(
      Effect.forEach(batch, (n) => Effect.flatMap(claim(n), (id) => finish(id, n)), { discard: true })
    )
  }
})
