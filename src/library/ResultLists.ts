import { Effect, Option, Schema } from "effect"
import { LinkId } from "../domain/Link.ts"
import type { LinkQuery } from "../domain/LinkQuery.ts"
import { Service } from "../runtime/Services.ts"
import { ChatListStore } from "../store/chat/MessageStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { TrashStore } from "../store/links/TrashStore.ts"
import { SearchLinks } from "./SearchLinks.ts"

const MAX_LIST = 100

/** As it was when requested. */
const ResultList = Schema.Struct({
  head: Schema.String,
  size: Schema.Int,
  ids: Schema.Array(LinkId),
  beyond: Schema.Int,
  /** Its title ends the heading, as long as the link exists. */
  like: Schema.optional(LinkId),
  /** It answers plain text, which the sender may have meant to save. */
  answersWords: Schema.Boolean,
  inTrash: Schema.optionalWith(Schema.Boolean, { default: () => false })
})
export type ResultList = typeof ResultList.Type

/** Links listed without any of the words. */
const MAX_BY_MEANING = 5
/**
 * Minimum similarity of such a link, as a share of the embedder's threshold. `bun test/bench/embedding/smallTalk.ts`,
 * on searches that no word matches: at .75, 1.3 % of small talk finds a link among 300 and 1.9 % among 1,000 (5.9 % and
 * 12 % at a search's floor, .55); of the sensible links among the nearest five, 96 % and 83 % are lost (90 % and 83 %).
 * With the encoder it is 2 % among 300.
 */
const CHAT_FLOOR = 0.75

const decodeList = Schema.decodeOption(Schema.parseJson(ResultList))
const decodeId = Schema.decodeSync(Schema.parseJson(Schema.Struct({ id: LinkId })))

const pagesOf = ({ ids, size }: ResultList) => Math.max(1, Math.ceil(ids.length / size))

const make = Effect.gen(function* () {
  const search = yield* SearchLinks
  const lists = yield* ChatListStore
  const links = yield* LinkStore
  const trash = yield* TrashStore

  /** With the links as they are now; pages count from 0. `number` is for the buttons of other pages; 0 with one page. */
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
    /** Newest first by default. Not inside a transaction, which a search would hold up. */
    find: Effect.fn("ResultLists.find")(function* (query: Partial<LinkQuery>) {
      const asked = { terms: [], filters: [], sort: "newest" as const, ...query, limit: MAX_LIST }
      const found = yield* search.page(asked)
      const ids = found.links.map((json) => decodeId(json).id)
      const { match } = found
      const also = found.also ?? []
      if (match?.by !== "meaning") return { ids, total: found.total, by: match?.by ?? "words", also }
      const near = ids.filter((id) => (match.likeness.get(id) ?? 0) >= CHAT_FLOOR).slice(0, MAX_BY_MEANING)
      return { ids: near, total: near.length, by: match.by, also }
    }),
    /** Stores a list with more pages in the caller's transaction. */
    open: Effect.fn("ResultLists.open")(function* (list: ResultList) {
      const number = list.ids.length > list.size ? yield* lists.keep(JSON.stringify(list)) : 0
      return yield* pageOf(list, number, 0)
    }),
    /** The last page if there are fewer; none if the list has expired. */
    page: Effect.fn("ResultLists.page")(function* (number: number, page: number) {
      const list = Option.flatMap(yield* lists.get(number), decodeList)
      return Option.isNone(list) ? Option.none() : Option.some(yield* pageOf(list.value, number, page))
    })
  }
})

export class ResultLists extends Service<ResultLists>()("ResultLists", make) {}

export type ResultPage = Effect.Effect.Success<ReturnType<ResultLists["Type"]["open"]>>
