import { Context, Effect, Layer, Option, Schema } from "effect"
import { type Link, LinkId } from "../domain/Link.ts"
import type { LinkQuery } from "../domain/LinkQuery.ts"
import { ChatListStore } from "../store/chat/MessageStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { TrashStore } from "../store/links/TrashStore.ts"
import { SearchLinks } from "./SearchLinks.ts"

/** Maximum number of links in a list; no one turns more pages in a chat. */
const MAX_LIST = 100

/** A list of links as it was when requested. */
const ResultList = Schema.Struct({
  head: Schema.String,
  /** How many links a page shows. */
  size: Schema.Int,
  ids: Schema.Array(LinkId),
  /** How many more links were found than the list holds. */
  beyond: Schema.Int,
  /** The link whose title ends the heading; the title is read on display, so it disappears if the link is deleted. */
  like: Schema.optional(LinkId),
  /** Whether it answers plain text, which the sender may have meant to save. */
  answersWords: Schema.Boolean,
  /** Whether its links are in the trash. */
  inTrash: Schema.optionalWith(Schema.Boolean, { default: () => false })
})
export type ResultList = typeof ResultList.Type

/** Maximum number of links that are listed though they have none of the words. */
const MAX_BY_MEANING = 5
/**
 * Minimum similarity of such a link, as a share of the embedder's threshold. Measured with
 * `bun test/bench/embedding/smallTalk.ts` on searches that no word matches: at .75, 1.3 % of small talk finds a link among
 * 300 and 1.9 % among 1,000, where the floor of a search (.55) lets 5.9 % and 12 % through; of the sensible links among
 * the nearest five, 96 % and 83 % are lost, where that floor loses 90 % and 83 %. The built-in embedder knows few
 * synonyms, so little is lost.
 */
const CHAT_FLOOR = 0.75

/** A page of a list with the links as they are now; pages are counted from 0. */
export interface ResultPage {
  readonly list: ResultList
  /** The list's number, which its buttons for other pages carry; 0 if it has one page. */
  readonly number: number
  readonly page: number
  readonly pages: number
  readonly links: ReadonlyArray<Link>
  /** The link whose title ends the heading, if it still exists. */
  readonly like: Link | undefined
}

const decodeList = Schema.decodeOption(Schema.parseJson(ResultList))
/** Reads the number of a link that the library has written as JSON. */
const decodeId = Schema.decodeSync(Schema.parseJson(Schema.Struct({ id: LinkId })))

const pagesOf = ({ ids, size }: ResultList) => Math.max(1, Math.ceil(ids.length / size))

const make = Effect.gen(function* () {
  const search = yield* SearchLinks
  const lists = yield* ChatListStore
  const links = yield* LinkStore
  const trash = yield* TrashStore

  const pageOf = Effect.fnUntraced(function* (list: ResultList, number: number, wanted: number) {
    const pages = pagesOf(list)
    const page = Math.min(wanted, pages - 1)
    const from = page * list.size
    const ids = list.ids.slice(from, from + list.size)
    const shown = yield* list.inTrash ? trash.getAll(ids) : links.getAll(ids)
    const [like] = list.like === undefined ? [] : yield* links.getAll([list.like])
    return { list, number, page, pages, links: shown, like }
  })

  return {
    /** Runs the query, newest links first by default. Not for use in a transaction, which a search would hold up. */
    find: Effect.fn("ResultLists.find")(function* (query: Partial<LinkQuery>) {
      const asked = { terms: [], filters: [], sort: "newest" as const, ...query, limit: MAX_LIST }
      const found = yield* search.page(asked)
      const ids = found.links.map((json) => decodeId(json).id)
      const { match } = found
      if (match?.by !== "meaning") return { ids, total: found.total, by: match?.by ?? "words" }
      const near = ids.filter((id) => (match.likeness.get(id) ?? 0) >= CHAT_FLOOR).slice(0, MAX_BY_MEANING)
      return { ids: near, total: near.length, by: match.by }
    }),
    /** Returns the first page and, in the caller's transaction, stores a list that has more pages. */
    open: Effect.fn("ResultLists.open")(function* (list: ResultList) {
      const number = list.ids.length > list.size ? yield* lists.keep(JSON.stringify(list)) : 0
      return yield* pageOf(list, number, 0)
    }),
    /** Returns this page, or the last one if there are fewer; none if the list has expired. */
    page: Effect.fn("ResultLists.page")(function* (number: number, page: number) {
      const list = Option.flatMap(yield* lists.get(number), decodeList)
      return Option.isNone(list) ? Option.none() : Option.some(yield* pageOf(list.value, number, page))
    })
  }
})

/** Lists of links that a chat shows one page per message; the other pages stay available for 30 days. */
export class ResultLists extends Context.Tag("ResultLists")<
  ResultLists,
  Effect.Effect.Success<typeof make>
>() {
  static readonly make = make
  static readonly layer = Layer.effect(this, this.make)
}
