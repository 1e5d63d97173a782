import { Clock, Duration, Effect, FiberHandle, FiberSet } from "effect"
import type { Link } from "../domain/Link.ts"
import { parseQuery } from "../domain/LinkQuery.ts"
import { ResultLists } from "../library/ResultLists.ts"
import { Service } from "../runtime/Services.ts"
import { readableHost, readableTitle } from "../shared/HostName.ts"
import { shortened } from "../shared/Text.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { openableAddress } from "./Card.ts"
import { Chat, type InlineAnswer, type InlineResult } from "./Chat.ts"
import { bold, lines, text } from "./Content.ts"
import type { InlineQuery } from "./Update.ts"

const MAX_RESULTS = 20
/** Maximum lengths of a result's texts, in UTF-16 units. */
const MAX_TITLE = 140
const MAX_DESCRIPTION = 160
const MAX_ADDRESS = 2_000
/** How long a search and its answer may take; Telegram drops later ones. */
const TIMEOUT = Duration.seconds(5)
/** How long Telegram may repeat an answer: to the owner, and to strangers, whose answer never changes. */
const CACHE_TIME = Duration.seconds(5)
const STRANGERS_CACHE_TIME = Duration.minutes(5)
/** Answers to strangers in progress at most; further ones are dropped. */
const MAX_STRANGERS = 4

const resultOf = (link: Link): InlineResult => {
  const { host, id, summary, title, url } = link
  const about = [readableHost(host), summary.replace(/\s+/g, " ")].filter((part) => part !== "").join(" · ")
  return {
    id: String(id),
    title: shortened(readableTitle(link) || host, MAX_TITLE),
    description: shortened(about, MAX_DESCRIPTION),
    url: openableAddress(url),
    html: lines([bold(text(title, MAX_TITLE)), text(url, MAX_ADDRESS)]).html
  }
}

const nothing = (query: InlineQuery): InlineAnswer => ({
  queryId: query.id,
  results: [],
  cacheTime: STRANGERS_CACHE_TIME
})

const make = Effect.gen(function* () {
  const chat = yield* Chat
  const results = yield* ResultLists
  const links = yield* LinkStore
  const searching = yield* FiberHandle.make<void>()
  const strangers = yield* FiberSet.make<void>()

  const found = Effect.fnUntraced(function* (words: string) {
    const now = yield* Clock.currentTimeMillis
    const parsed = parseQuery(words, now)
    const sort = parsed.terms.some(({ negated }) => !negated) ? "relevance" : "newest"
    const { ids } = yield* results.find({ ...parsed, sort })
    return yield* links.getAll(ids.slice(0, MAX_RESULTS))
  })

  const search = Effect.fn("InlineSearch.search")(function* (query: InlineQuery) {
    const all = yield* Effect.orElseSucceed(found(query.text), (): ReadonlyArray<Link> => [])
    yield* chat.answerInline({ queryId: query.id, results: all.map(resultOf), cacheTime: CACHE_TIME })
  })

  const bounded = (work: Effect.Effect<void>) =>
    work.pipe(
      Effect.timeoutOption(TIMEOUT),
      Effect.asVoid,
      Effect.catchAllCause((cause) => Effect.logWarning("an inline query was not answered", cause))
    )

  return {
    /** Answers in the background: the newest links for an empty query, and nothing to anybody but the owner. */
    answer: Effect.fn("InlineSearch.answer")(function* (query: InlineQuery, isOwner: boolean) {
      if (isOwner) return yield* Effect.asVoid(FiberHandle.run(searching, bounded(search(query))))
      if ((yield* FiberSet.size(strangers)) >= MAX_STRANGERS) return
      yield* FiberSet.run(strangers, bounded(chat.answerInline(nothing(query))))
    })
  }
})

/** https://core.telegram.org/bots/api#inline-mode; not stored: answered at once or not at all, the newest alone. */
export class InlineSearch extends Service<InlineSearch>()("InlineSearch", make) {}
