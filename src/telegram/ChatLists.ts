import { Effect, Option, Schema } from "effect"
import { type Link, LinkId } from "../domain/Link.ts"
import type { LinkQuery } from "../domain/LinkQuery.ts"
import { SearchLinks } from "../library/SearchLinks.ts"
import { parseQuery } from "../search/Query.ts"
import { count } from "../shared/Format.ts"
import { shortened } from "../shared/Truncate.ts"
import { ChatListStore } from "../store/chat/MessageStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { button, rowsOf } from "./Buttons.ts"
import { detailsLine, linkLine } from "./Card.ts"
import { type Content, concat, empty, type Html, italic, lines, text, userError } from "./Content.ts"
import { howToSave } from "./Replies.ts"

/** Default and maximum number of links per message; the maximum fits the platform's limits. */
export const PAGE = 5
export const MAX_PAGE = 20
/** Maximum number of links in a list; no one turns more pages in a chat. */
const MAX_LIST = 100
/** Maximum title and details length in UTF-16 units, so that twenty links fit into a message. */
const MAX_TITLE = 80
const MAX_FACTS = 70
const MAX_WORDS = 200
const NUMBERS_PER_ROW = 5

/** A list as it was when requested. */
const ChatList = Schema.Struct({
  head: Schema.String,
  /** How many links a page shows. */
  size: Schema.Int,
  ids: Schema.Array(LinkId),
  /** How many more links were found than the list holds. */
  beyond: Schema.Int,
  /** The link whose title ends the heading; the title is read on display, so it disappears if the link is deleted. */
  like: Schema.optional(LinkId),
  /** Whether it answers plain text, which the sender may have meant to save. */
  answersWords: Schema.Boolean
})
type ChatList = typeof ChatList.Type

const stored = Schema.parseJson(ChatList)
const decodeIds = Schema.decode(Schema.Array(Schema.parseJson(Schema.Struct({ id: LinkId }))))

/** How to show a list: the heading by number of links found, the links per page, and the rest as in `ChatList`. */
interface Display {
  readonly head: (total: number) => string
  readonly like?: LinkId
  readonly size?: number
  readonly answersWords?: boolean
}

/** Lists of links, one page per message, with buttons that show a link's card and turn the page. */
export const makeChatLists = Effect.gen(function* () {
  const search = yield* SearchLinks
  const lists = yield* ChatListStore
  const links = yield* LinkStore

  const pageOf = Effect.fnUntraced(function* (list: ChatList, number: number, wanted: number) {
    const page = Math.min(wanted, pagesOf(list) - 1)
    const from = page * list.size
    const shown = yield* links.getAll(list.ids.slice(from, from + list.size))
    const [like] = list.like === undefined ? [] : yield* links.getAll([list.like])
    const head = like === undefined ? list.head : `${list.head} ${shortened(like.title, MAX_TITLE)}`
    return contentOf({ ...list, head }, number, page, shown)
  })

  const find = Effect.fn("ChatLists.find")(function* (query: Partial<LinkQuery>, how: Display) {
    const asked = { terms: [], filters: [], sort: "newest" as const, ...query, limit: MAX_LIST }
    const found = yield* Effect.mapError(search.page(asked), ({ message }) => userError(message))
    const ids = (yield* Effect.orDie(decodeIds(found.links))).map(({ id }) => id)
    const list: ChatList = {
      head: how.head(found.total),
      size: how.size ?? PAGE,
      ids,
      beyond: Math.max(0, found.total - ids.length),
      ...(how.like === undefined ? {} : { like: how.like }),
      answersWords: how.answersWords ?? false
    }
    return list
  })

  return {
    /** Runs the query and returns a list to open. Not for use in a transaction, which a search would hold up. */
    find,
    /** Searches for these words with the dashboard's query syntax. */
    search: (words: string, answersWords: boolean) =>
      find(
        { ...parseQuery(words), sort: "relevance" },
        {
          head: (total) => {
            const found = total === 0 ? "Nothing found" : count(total, "match", "matches")
            return `${found} for “${shortened(words, MAX_WORDS)}”`
          },
          answersWords
        }
      ),
    /** Finds the links most similar in meaning to this one. */
    similar: ({ id }: Link) =>
      find(
        { like: id, sort: "relevance" },
        { head: (total) => `${total === 0 ? "Nothing is like" : "Like"} #${id}`, like: id }
      ),
    /** Finds the links of a collection, newest first. */
    ofCollection: ({ id, name }: { readonly id: number; readonly name: string }) =>
      find(
        { collection: id },
        { head: (total) => `📁 ${shortened(name, MAX_TITLE)}, ${count(total, "link")}` }
      ),
    /** Returns the first page and, in the caller's transaction, stores a list that has more pages. */
    open: Effect.fn("ChatLists.open")(function* (list: ChatList) {
      const number =
        list.ids.length > list.size ? yield* lists.keep(yield* Effect.orDie(Schema.encode(stored)(list))) : 0
      return yield* pageOf(list, number, 0)
    }),
    /** Returns another page; none if the list has expired. */
    page: Effect.fn("ChatLists.page")(function* (number: number, page: number) {
      const kept = yield* lists.get(number)
      const list = Option.flatMap(kept, Schema.decodeOption(stored))
      return Option.isNone(list) ? Option.none() : Option.some(yield* pageOf(list.value, number, page))
    })
  }
})

const pagesOf = ({ ids, size }: Pick<ChatList, "ids" | "size">) => Math.max(1, Math.ceil(ids.length / size))

const item = (it: Link, index: number): Html =>
  lines([concat(text(`${index + 1}. `), linkLine(it, MAX_TITLE)), detailsLine(it, MAX_FACTS)])

const contentOf = (
  { answersWords, beyond, head, ids, size }: ChatList,
  number: number,
  page: number,
  shown: ReadonlyArray<Link>
): Content => {
  const pages = pagesOf({ ids, size })
  const last = page >= pages - 1
  const items = shown.map(item)
  const turn = [
    ...(page > 0 ? [button("‹ Back", { _tag: "List" as const, list: number, page: page - 1 })] : []),
    ...(last ? [] : [button("More ›", { _tag: "List" as const, list: number, page: page + 1 })])
  ]
  const numbers = shown.map(({ id }, index) => button(String(index + 1), { _tag: "Show", id }))
  const where = pages > 1 ? ` (page ${page + 1} of ${pages})` : ""
  return {
    html: lines(
      [
        text(`${head}${where}${shown.length > 0 ? ":" : "."}`),
        size > PAGE ? lines(items) : lines(items, "\n\n"),
        last && beyond > 0 ? italic(text(`and ${beyond} more on the dashboard`)) : empty,
        answersWords ? howToSave : empty
      ],
      "\n\n"
    ),
    buttons: [...rowsOf(numbers, NUMBERS_PER_ROW), ...(turn.length > 0 ? [turn] : [])]
  }
}
