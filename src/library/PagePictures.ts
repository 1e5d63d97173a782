import { Clock, DateTime, Duration, Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import { pictureAddresses, withPictures } from "../domain/ArticlePictures.ts"
import type { LinkId } from "../domain/Link.ts"
import { Images } from "../enrich/page/Images.ts"
import { MAX_PICTURE } from "../enrich/page/Shrink.ts"
import { LruMap } from "../runtime/LruMap.ts"
import { Service } from "../runtime/Services.ts"
import { type DuePicture, MAX_PAGE_PICTURES, PagePictureStore } from "../store/pages/PagePictureStore.ts"
import { Events } from "./Events.ts"
import { makeRecentFailures } from "./LinkImages.ts"

/** In bytes. An invalid setting keeps none. */
export const pictureLimit = Effect.orElseSucceed(Setting.keepPictures.config, () => 0)

const picturePath = (id: LinkId, picture: number) => `/dashboard/api/links/${id}/page/pictures/${picture}`

const make = Effect.gen(function* () {
  const store = yield* PagePictureStore
  return {
    /** Runs in the transaction that keeps the page; for an unchanged page, queues what failed or was never queued. */
    queue: Effect.fn("PagePictures.queue")(function* (id: LinkId, html: string) {
      if ((yield* pictureLimit) > 0) yield* store.queue(id, pictureAddresses(html, MAX_PAGE_PICTURES))
    }),
    /** Kept pictures get an address of this service (`pathOf`), all others none; changes no text. */
    show: Effect.fn("PagePictures.show")(function* (
      id: LinkId,
      html: string,
      pathOf: (picture: number) => string = (picture) => picturePath(id, picture)
    ) {
      const known = new Map((yield* store.ofPage(id)).map((picture) => [picture.address, picture]))
      return withPictures(html, (address) => {
        const picture = known.get(address)
        if (picture === undefined) return "failed"
        if (picture.state !== "kept") return picture.state
        return { path: pathOf(picture.id), width: picture.width, height: picture.height }
      })
    }),
    usage: Effect.all({ bytes: store.bytes, limit: pictureLimit, waiting: store.waiting }).pipe(
      Effect.withSpan("PagePictures.usage")
    )
  }
})

/** The pictures of kept pages: which ones a page has, and how its article is shown with them. */
export class PagePictures extends Service<PagePictures>()("PagePictures", make) {}

/** The fetcher limits the requests to each host. */
const AT_ONCE = 4
const BATCH = 20
/** One look at the queue serves many changes. */
const GATHER = Duration.seconds(1)
/** Another process may have added to the queue. */
const LONGEST_REST = Duration.minutes(10)
/** How often to check for room while the limit is reached. */
const FULL_REST = Duration.minutes(1)

/** Consecutive unanswered requests after which a host rests for `PAUSE`. */
const MAX_UNANSWERED = 2
const PAUSE = Duration.minutes(5)
const MAX_HOSTS = 1_000
/** An address without a picture is not fetched again for another page this long. */
const FAILURE_AGE = Duration.hours(1)
const MAX_FAILURES = 5_000

/** One silent host must not hold up the pictures of others. */
const makePauses = () => {
  const unanswered = new LruMap<string, number>(MAX_HOSTS)
  /** In milliseconds since 1970; the pauses are equal, so the first one ends first. */
  const ends = new Map<string, number>()
  const current = Effect.map(Clock.currentTimeMillis, (now) => {
    for (const [host, end] of ends) if (end <= now || ends.size > MAX_HOSTS) ends.delete(host)
    return ends
  })
  return {
    current,
    answered: (host: string) => Effect.sync(() => unanswered.delete(host)),
    /** Returns whether the host is paused from now on. */
    notAnswered: (host: string) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const times = (unanswered.get(host) ?? 0) + 1
        unanswered.set(host, times)
        if (times < MAX_UNANSWERED || ends.has(host)) return false
        ends.set(host, now + Duration.toMillis(PAUSE))
        return true
      })
  }
}

const makeFetchPictures = Effect.gen(function* () {
  const store = yield* PagePictureStore
  const images = yield* Images
  const events = yield* Events
  const pauses = makePauses()
  const failures = makeRecentFailures(FAILURE_AGE, MAX_FAILURES)
  let isFull = false

  const fetchOne = Effect.fn("FetchPictures.fetchOne")(function* ({ address, host, id, page }: DuePicture) {
    if ((yield* pauses.current).has(host)) return
    if (!(yield* images.mayTake(address, [page]))) return yield* store.failed(id, true)
    if (yield* failures.has(address)) return yield* store.failed(id, false)
    const fetched = yield* Effect.either(images.ofArticle(address, page))
    if (fetched._tag === "Right") {
      yield* pauses.answered(host)
      return yield* store.keep(id, fetched.right, yield* pictureLimit)
    }
    const { lasting, reason } = fetched.left
    yield* failures.add(address)
    yield* store.failed(id, lasting)
    if (reason !== "unreachable" && reason !== "timeout") return yield* pauses.answered(host)
    // Its other pictures have failed with it.
    if (yield* pauses.notAnswered(host)) yield* store.failedHost(host)
  })

  const hasRoom = Effect.gen(function* () {
    const limit = yield* pictureLimit
    const bytes = yield* store.allBytes
    const wasFull = isFull
    isFull = bytes + MAX_PICTURE.article > limit
    if (isFull && !wasFull && limit > 0)
      yield* Effect.logWarning(
        `pictures and snapshots of pages take ${bytes} of the ${limit} bytes of KEEP_PICTURES: no more are kept until it is raised or links are deleted`
      )
    return !isFull
  })

  const rest = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const due = Option.map(yield* store.nextDue, DateTime.toEpochMillis)
    const times = [...Option.toArray(due), ...(yield* pauses.current).values()]
    const wait = Math.min(
      ...times.map((time) => Math.max(time - now, 1_000)),
      Duration.toMillis(LONGEST_REST)
    )
    return Duration.millis(wait)
  })

  const pass = Effect.gen(function* () {
    if (!(yield* hasRoom)) return (yield* store.waiting) > 0 ? FULL_REST : LONGEST_REST
    const batch = yield* store.due(BATCH, [...(yield* pauses.current).keys()])
    if (batch.length === 0) return yield* rest
    yield* Effect.forEach(batch, fetchOne, { concurrency: AT_ONCE, discard: true })
    return Duration.zero
  })

  return {
    /** Newest links first, while `KEEP_PICTURES` has room for another picture of the largest size. */
    run: events.drain(({ type }) => type === "link", pass, {
      name: "fetching pictures of pages",
      gather: GATHER
    })
  }
})

/** Fetches the pictures of kept pages in the background, from a queue that survives a restart. */
export class FetchPictures extends Service<FetchPictures>()("FetchPictures", makeFetchPictures) {}
