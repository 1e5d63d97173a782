import { Clock, Duration, Effect, Function, Option } from "effect"
import type { LinkId } from "../domain/Link.ts"
import type { Picture, PictureKind } from "../domain/Picture.ts"
import { Images } from "../enrich/page/Images.ts"
import { makeSingleFlight } from "../runtime/Background.ts"
import { LruMap } from "../runtime/LruMap.ts"
import { Service } from "../runtime/Services.ts"
import { every } from "../runtime/WorkLoop.ts"
import { PublicSearch } from "../search/PublicSearch.ts"
import { ImageFiles, ImageStore, type Removal } from "../store/links/ImageStore.ts"
import { Events } from "./Events.ts"

/** Remembers keys that failed within the last `age`; forgets the least recently used beyond `most`. */
export const makeRecentFailures = (age: Duration.Duration, most: number) => {
  const ends = new LruMap<string, number>(most)
  return {
    add: (key: string) =>
      Effect.map(Clock.currentTimeMillis, (now) => ends.set(key, now + Duration.toMillis(age))),
    has: (key: string) => Effect.map(Clock.currentTimeMillis, (now) => (ends.get(key) ?? 0) > now),
    forget: (key: string) => Effect.sync(() => ends.delete(key))
  }
}

/** An address without a picture is not fetched again this long. */
const FAILURE_AGE = Duration.hours(1)
const MAX_FAILURES = 5_000
/** A picture that arrives later is there for the next request. */
const PATIENCE = Duration.seconds(10)
/** Between checks, in addition to those after changes. */
const INTERVAL = Duration.minutes(1)
const BATCH = 500

const make = Effect.gen(function* () {
  const store = yield* ImageStore
  const files = yield* ImageFiles
  const images = yield* Images
  const list = yield* PublicSearch
  const events = yield* Events
  const flights = yield* makeSingleFlight<Option.Option<Picture>>()
  const failures = makeRecentFailures(FAILURE_AGE, MAX_FAILURES)
  const keyOf = (kind: PictureKind, address: string) => `${kind} ${address}`

  const fetched = Effect.fnUntraced(function* (
    kind: PictureKind,
    address: string,
    page: string,
    wanted: Effect.Effect<boolean>
  ) {
    const key = keyOf(kind, address)
    // Checked within the flight: a removal waits for the flight to end.
    if ((yield* failures.has(key)) || !(yield* wanted)) return Option.none()
    const picture = yield* images.find(kind, address, page)
    yield* Option.match(picture, {
      onNone: () => failures.add(key),
      onSome: (found) => files.write(kind, address, found)
    })
    return picture
  })

  const picture = (kind: PictureKind, address: string, page: string, wanted: Effect.Effect<boolean>) =>
    flights
      .run(
        keyOf(kind, address),
        Effect.flatMap(
          files.read(kind, address),
          Option.match({ onNone: () => fetched(kind, address, page, wanted), onSome: Effect.succeedSome })
        )
      )
      .pipe(Effect.timeoutTo({ duration: PATIENCE, onTimeout: Option.none, onSuccess: Function.identity }))

  /** Another link that names the picture fetches it again. */
  const forgetOne = Effect.fnUntraced(function* ({ address, kind }: Removal) {
    const key = keyOf(kind, address)
    yield* flights.landed(key)
    yield* files.remove(kind, address)
    yield* failures.forget(key)
  })

  const forgetSome = Effect.gen(function* () {
    const removals = yield* store.removals(BATCH)
    if (removals.length === 0) return 0
    yield* Effect.forEach(removals, forgetOne, { concurrency: 8, discard: true })
    yield* store.deleteRemovals(removals)
    return removals.length
  })
  /** Of links that are deleted or name another picture. */
  const forget = Effect.repeat(forgetSome, { while: (removed) => removed === BATCH }).pipe(
    Effect.asVoid,
    Effect.catchAllCause((cause) => Effect.logWarning("removing pictures failed", cause)),
    Effect.withSpan("LinkImages.forget")
  )

  return {
    /**
     * None if the link names no picture, or if the address may not be fetched, holds something else or takes too long.
     */
    ofLink: Effect.fn("LinkImages.ofLink")(function* (kind: PictureKind, id: LinkId) {
      const named = yield* store.addressOf(kind, id)
      if (Option.isNone(named)) return Option.none()
      const { address, page } = named.value
      if (!(yield* images.mayTake(address, [page]))) return Option.none()
      const wanted = Effect.map(
        store.addressOf(kind, id),
        Option.exists((now) => now.address === address)
      )
      return yield* picture(kind, address, page, wanted)
    }),
    /** None if no shared link names the address; otherwise as `ofLink`. */
    shared: Effect.fn("LinkImages.shared")(function* (kind: PictureKind, address: string) {
      const pages = yield* list.pagesWith(kind, address)
      const [page] = pages
      if (page === undefined || !(yield* images.mayTake(address, pages))) return Option.none()
      const wanted = Effect.map(list.pagesWith(kind, address), (now) => now.length > 0)
      return yield* picture(
        kind,
        address,
        page,
        Effect.orElseSucceed(wanted, () => false)
      )
    }),
    /** Bytes, measured at most once a minute. */
    bytes: files.bytes,
    forget,
    /** Also prunes the stored pictures to their limit. */
    run: Effect.all(
      [
        events.drain(
          (event) => event.type === "link" && event.change !== "saved",
          Effect.as(forget, INTERVAL),
          { name: "removing pictures" }
        ),
        every(INTERVAL, "pruning pictures", files.prune)
      ],
      { concurrency: "unbounded", discard: true }
    )
  }
})

/** Pictures of saved pages, fetched when first viewed, so that no site learns who views them. */
export class LinkImages extends Service<LinkImages>()("LinkImages", make) {}
