import { Effect, Option, Schema } from "effect"
import { type Link, LinkId } from "../domain/Link.ts"
import type { LinkQuery } from "../domain/LinkQuery.ts"
import { SearchLinks } from "../library/SearchLinks.ts"
import { parseQuery } from "../search/Query.ts"
import { ChatListStore } from "../store/chat/MessageStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { button, rowsOf, shortLabel } from "./Buttons.ts"
import { facts, named } from "./Card.ts"
import { type Content, concat, empty, type Html, italic, lines, text, userError } from "./Content.ts"
import { count, howToSave } from "./Replies.ts"

/** How many links a message lists, and how many it can where that is asked for: what the platform's limits have room for. */
export const PAGE = 5
export const MAX_PAGE = 20
/** How many links a list holds; nobody turns more pages in a chat. */
const MAX_LIST = 100
/** So many units of each link fit twenty times. */
const MAX_TITLE = 80
const MAX_FACTS = 70
const MAX_WORDS = 200
const NUMBERS_A_ROW = 5

/** A list as it was when it was asked for. */
const ChatList = Schema.Struct({
  head: Schema.String,
  /** How many links a page shows. */
  size: Schema.Int,
  ids: Schema.Array(LinkId),
  /** How many links there are beside those it holds. */
  beyond: Schema.Int,
  /** The link whose title ends the heading: its title is read when the list is shown, and goes with the link. */
  like: Schema.optional(LinkId),
  /** Whether it answers words, which somebody may have taken for a way to save. */
  answersWords: Schema.Boolean
})
type ChatList = typeof ChatList.Type

const stored = Schema.parseJson(ChatList)
const decodeIds = Schema.decode(Schema.Array(Schema.parseJson(Schema.Struct({ id: LinkId }))))

/** How a list is shown: what stands above it by the number of links, and how many a page has. */
interface Shown {
  readonly head: (total: number) => string
  readonly like?: LinkId
  readonly size?: number
  readonly answersWords?: boolean
}

/** Lists of links, a page a message: buttons show a link's card and turn the page. */
export const makeChatLists = Effect.gen(function* () {
  const search = yield* SearchLinks
  const lists = yield* ChatListStore
  const links = yield* LinkStore

  const pageOf = Effect.fnUntraced(function* (list: ChatList, number: number, wanted: number) {
    const page = Math.min(wanted, pagesOf(list) - 1)
    const from = page * list.size
    const shown = yield* links.getAll(list.ids.slice(from, from + list.size))
    const [like] = list.like === undefined ? [] : yield* links.getAll([list.like])
    const head = like === undefined ? list.head : `${list.head} ${shortLabel(like.title, MAX_TITLE)}`
    return contentOf({ ...list, head }, number, page, shown)
  })

  const find = Effect.fn("ChatLists.find")(function* (query: Partial<LinkQuery>, how: Shown) {
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
    /** What the query finds, ready to be shown; not within a transaction, which a search would hold up. */
    find,
    /** What these words find, as on the dashboard. */
    search: (words: string, answersWords: boolean) =>
      find(
        { ...parseQuery(words), sort: "relevance" },
        {
          head: (total) => {
            const found = total === 0 ? "Nothing found" : count(total, "match", "matches")
            return `${found} for “${shortLabel(words, MAX_WORDS)}”`
          },
          answersWords
        }
      ),
    /** The links nearest to this one in meaning. */
    similar: ({ id }: Link) =>
      find(
        { like: id, sort: "relevance" },
        { head: (total) => `${total === 0 ? "Nothing is like" : "Like"} #${id}`, like: id }
      ),
    /** The links of a collection, the newest first. */
    ofCollection: ({ id, name }: { readonly id: number; readonly name: string }) =>
      find(
        { collection: id },
        { head: (total) => `📁 ${shortLabel(name, MAX_TITLE)}, ${count(total, "link")}` }
      ),
    /** The first page, within the transaction that keeps the list for its further ones. */
    open: Effect.fn("ChatLists.open")(function* (list: ChatList) {
      const number =
        list.ids.length > list.size ? yield* lists.keep(yield* Effect.orDie(Schema.encode(stored)(list))) : 0
      return yield* pageOf(list, number, 0)
    }),
    /** A further page; none where the list is too old. */
    page: Effect.fn("ChatLists.page")(function* (number: number, page: number) {
      const kept = yield* lists.get(number)
      const list = Option.flatMap(kept, Schema.decodeOption(stored))
      return Option.isNone(list) ? Option.none() : Option.some(yield* pageOf(list.value, number, page))
    })
  }
})

const pagesOf = ({ ids, size }: Pick<ChatList, "ids" | "size">) => Math.max(1, Math.ceil(ids.length / size))

const item = (it: Link, index: number): Html =>
  lines([concat(text(`${index + 1}. `), named(it, MAX_TITLE)), facts(it, MAX_FACTS)])

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
    buttons: [...rowsOf(numbers, NUMBERS_A_ROW), ...(turn.length > 0 ? [turn] : [])]
  }
}
