import { describe, expect, test } from "bun:test"
import { Duration, Effect, Fiber, Layer, TestClock } from "effect"
import type { LinkId } from "../../src/domain/Link.ts"
import { enrichmentAfterCrashes } from "../../src/enrich/Enricher.ts"
import { InboxStore } from "../../src/store/inbox/InboxStore.ts"
import { ChangeStore } from "../../src/store/links/ChangeStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { TrashStore } from "../../src/store/links/TrashStore.ts"
import { observe, PassedTime } from "../../src/store/PassedTime.ts"
import { clockTest } from "../support/effect.ts"
import { storesAt } from "../support/library.ts"
import { newLink } from "../support/links.ts"
import { makePlaces } from "../support/places.ts"

const HOUR = Duration.toMillis("1 hour")
const DAY = 24 * HOUR
const NOON = Date.UTC(2026, 5, 1, 12)
const calm = { seen: NOON, latest: NOON, lag: 0, lagUntil: 0 }

describe("a clock", () => {
  const month = {
    ...calm,
    seen: NOON + 30 * DAY,
    latest: NOON + 30 * DAY,
    lag: 30 * DAY,
    lagUntil: NOON + 60 * DAY
  }
  for (const [what, before, now, elapsed, expected] of [
    ["that goes on", calm, NOON + HOUR, HOUR, { seen: NOON + HOUR, latest: NOON + HOUR, lag: 0, moved: 0 }],
    ["that is corrected a little", calm, NOON + HOUR - 30_000, HOUR, { lag: 0, moved: 0 }],
    ["that is a month ahead at a start", calm, NOON + 30 * DAY, undefined, { lag: 30 * DAY, moved: 0 }],
    ["that is set a month ahead", calm, NOON + HOUR + 30 * DAY, HOUR, { lag: 30 * DAY, moved: 0 }],
    ["that returns", month, NOON, 0, { latest: NOON, lag: 0, moved: -30 * DAY }],
    ["that stays a month ahead", month, NOON + 61 * DAY, 31 * DAY, { lag: 0, moved: 0 }],
    ["that was ahead from the beginning", calm, NOON - 2 * DAY, undefined, { lag: 0, moved: -2 * DAY }],
    ["that a machine lacks at a start", calm, 0, undefined, { latest: NOON, lag: 0, moved: -NOON }],
    [
      "that such a machine gets later",
      { ...calm, seen: 0 },
      NOON + HOUR,
      0,
      { latest: NOON + HOUR, lag: HOUR, moved: NOON }
    ]
  ] as const)
    test(what, () => {
      const { moved, remembered } = observe(before, now, elapsed)
      expect({ ...remembered, moved }).toMatchObject(expected)
    })
})

const it = clockTest(Layer.empty)

/** Runs the library in the file at this time, as one run of the service does. */
const running = <A, E>(
  file: string,
  time: number,
  work: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof storesAt>>>
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(time)
    return yield* Effect.provide(
      Effect.gen(function* () {
        const looking = yield* Effect.forkScoped((yield* PassedTime).run)
        yield* TestClock.adjust("1 minute")
        yield* Fiber.interrupt(looking)
        return yield* work
      }),
      storesAt(file)
    ).pipe(Effect.scoped)
  })

describe("a start with a wrong clock", () => {
  const { place } = makePlaces("passed-time")
  const expired = Effect.flatMap(TrashStore, (trash) => trash.expired(10))

  it("deletes nothing early, and what is due a month later", function* () {
    const { file } = place()
    const id = yield* running(
      file,
      NOON,
      Effect.gen(function* () {
        const { link } = yield* (yield* LinkStore).upsert(newLink("a"))
        yield* (yield* ChangeStore).apply({ fields: ["title"], links: [{ id: link.id, title: "New" }] })
        yield* (yield* TrashStore).moveSome([link.id])
        const inbox = yield* InboxStore
        yield* inbox.done((yield* inbox.keep({ source: "chat", key: "1", payload: "{}" })).id)
        return link.id
      })
    )
    const none: Array<LinkId> = []
    yield* running(
      file,
      NOON + 31 * DAY,
      Effect.gen(function* () {
        const inbox = yield* InboxStore
        yield* (yield* ChangeStore).prune
        yield* inbox.prune(Duration.days(14), Duration.days(90))
        expect((yield* inbox.keep({ source: "chat", key: "1", payload: "{}" })).repeated).toBe(true)
        expect(yield* expired).toEqual(none)
        yield* TestClock.adjust("29 days")
        expect(yield* expired).toEqual(none)
        yield* TestClock.adjust("2 days")
        expect(yield* expired).toEqual([id])
      })
    )
  })

  it("plans retries that wait no longer once it is right", function* () {
    const { file } = place()
    const id = yield* running(
      file,
      NOON + 2 * DAY,
      Effect.gen(function* () {
        const links = yield* LinkStore
        const { link } = yield* links.upsert(newLink("a"))
        yield* links.finish(link.id, enrichmentAfterCrashes(new URL(link.url), {}))
        return link.id
      })
    )
    yield* running(
      file,
      NOON,
      Effect.gen(function* () {
        const links = yield* LinkStore
        yield* TestClock.adjust("5 minutes")
        expect(yield* links.leaseDue(4)).toEqual([])
        yield* TestClock.adjust("10 minutes")
        expect(yield* links.leaseDue(4)).toEqual([id])
      })
    )
  })
})
