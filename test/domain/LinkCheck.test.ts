import { describe, expect, test } from "bun:test"
import { Duration } from "effect"
import {
  afterLook,
  afterReading,
  firstLookAt,
  type LinkCheck,
  type Look,
  REGULAR_PAUSE,
  soon
} from "../../src/domain/LinkCheck.ts"

const DAY = Duration.toMillis("1 day")
const start = Date.parse("2026-11-23T00:00:00Z")
const firstCheck = (id: number, now: number): LinkCheck => ({
  state: "unknown",
  since: null,
  reason: null,
  to: null,
  declined: null,
  failedAt: [],
  brokenLooks: 0,
  lookedAt: null,
  nextAt: soon(id, now)
})

const present: Look = { _tag: "Present" }
const refused: Look = { _tag: "Refused" }
const failed = (reason = "404 Not Found"): Look => ({ _tag: "Failed", reason, isSilent: false })
const moved = (to: string): Look => ({ _tag: "Moved", to })
const changed: Look = { _tag: "Changed", reason: "There is no site at this address, only a placeholder" }

/** Looks one after the other, each when it is due or so many days after the last one. */
const looked = (looks: ReadonlyArray<Look | readonly [days: number, look: Look]>, id = 7) => {
  const all: Array<LinkCheck> = []
  let check = firstCheck(id, start)
  let now = start
  for (const one of looks) {
    const [at, look] = "_tag" in one ? [check.nextAt, one] : [now + one[0] * DAY, one[1]]
    now = at
    check = afterLook(check, look, id, now)
    all.push(check)
  }
  return all
}

const last = (...looks: Parameters<typeof looked>[0]) => looked(looks).at(-1)

describe("a page that is looked at", () => {
  test("is unknown at first, and ok once it was found", () => {
    expect(firstCheck(7, start)).toMatchObject({ state: "unknown", since: null, failedAt: [] })
    expect(last(present)).toMatchObject({ state: "ok", reason: null, to: null })
  })

  test("keeps the day on which it was found first", () => {
    const [first, , third] = looked([present, present, present])
    expect(third?.since).toBe(first?.since ?? 0)
  })

  test("is broken after its third failure in a week, since the first one, with the last reason", () => {
    const [ok, one, two, three] = looked([present, failed(), failed(), failed("410 Gone")])
    expect([one?.state, two?.state]).toEqual(["ok", "ok"])
    expect(three).toMatchObject({ state: "broken", reason: "410 Gone", since: ok?.nextAt ?? 0 })
    expect((three?.failedAt.at(-1) ?? 0) - (three?.failedAt[0] ?? 0)).toBeLessThan(7 * DAY)
  })

  test("is not broken by failures that are further apart", () => {
    expect(last(present, failed(), [5, failed()], [5, failed()])).toMatchObject({ state: "ok" })
    expect(last(present, failed(), [5, failed()], [5, failed()], [1, failed()])).toMatchObject({
      state: "broken"
    })
  })

  test("is not broken if it is found in between", () => {
    expect(last(failed(), failed(), present, failed(), failed())).toMatchObject({ state: "ok" })
  })

  test("is looked at less and less often while it is broken, and found again", () => {
    const checks = looked([failed(), failed(), failed(), failed(), failed(), failed(), failed(), failed()])
    const pauses = checks.map(({ failedAt, nextAt }) => Math.round((nextAt - (failedAt.at(-1) ?? 0)) / DAY))
    for (const [at, days] of [1, 3, 7, 14, 28, 60, 60, 60].entries())
      expect(Math.abs((pauses[at] ?? 0) - days)).toBeLessThanOrEqual(Math.ceil(days / 10))
    const since = checks[2]?.since ?? 0
    expect(new Set(checks.slice(2).map((one) => one.since))).toEqual(new Set([since]))
    expect(last(failed(), failed(), failed(), present)).toMatchObject({
      state: "ok",
      reason: null,
      failedAt: [],
      brokenLooks: 0
    })
  })

  test("has moved, since it first had that new address", () => {
    const [first, second, third] = looked([
      moved("https://a.example/"),
      moved("https://a.example/"),
      moved("https://b.example/")
    ])
    expect(second).toMatchObject({ state: "moved", to: "https://a.example/", since: first?.since })
    expect(third?.since).toBeGreaterThan(second?.since ?? 0)
  })

  test("has changed, and changes back", () => {
    expect(last(present, changed)).toMatchObject({ state: "changed", reason: changed.reason })
    expect(last(present, changed, present)).toMatchObject({ state: "ok", reason: null })
  })

  test("stays what it was when its site refuses programs", () => {
    for (const look of [present, moved("https://a.example/"), changed]) {
      const [before, after] = looked([look, refused])
      expect(after).toEqual({
        ...(before ?? firstCheck(0, 0)),
        lookedAt: after?.lookedAt ?? 0,
        nextAt: after?.nextAt ?? 0
      })
      expect(after?.nextAt).toBeGreaterThan(before?.nextAt ?? 0)
    }
    // Nor does a refusal end a series of failures.
    expect(last(failed(), [1, failed()], [1, refused], [1, failed()])).toMatchObject({ state: "broken" })
  })

  test("stays where the owner wants it until it moves again", () => {
    const declined: LinkCheck = { ...firstCheck(7, start), state: "ok", declined: "https://a.example/" }
    const same = afterLook(declined, moved("https://a.example/"), 7, start)
    expect(same).toMatchObject({ state: "ok", to: null, declined: "https://a.example/" })
    expect(afterLook(same, moved("https://b.example/"), 7, start + DAY)).toMatchObject({
      state: "moved",
      to: "https://b.example/"
    })
  })

  test("is not broken by looking again and again on one day", () => {
    const check = last(failed(), [0.01, failed()], [0.01, failed()], [0.01, failed()])
    expect(check).toMatchObject({ state: "unknown", failedAt: [check?.failedAt[0]] })
    expect(last(failed(), [1, failed()], [0.01, failed()], [1, failed()])?.state).toBe("broken")
  })

  test("is looked at when its site wants to be asked again, in two months at most", () => {
    const asked = (days: number): Look => ({ _tag: "Refused", notBefore: start + days * DAY })
    const next = (look: Look) => (afterLook(firstCheck(7, start), look, 7, start).nextAt - start) / DAY
    expect(next({ _tag: "Failed", reason: "503", isSilent: false, notBefore: start + 20 * DAY })).toBe(20)
    expect(next(asked(70))).toBeLessThanOrEqual(66)
    expect(next(asked(-5))).toBe(next(refused))
  })

  test("survives a clock that is set back: failures in the future count as now", () => {
    const ahead = afterLook(firstCheck(7, start), failed(), 7, start + 400 * DAY)
    const now = afterLook(ahead, failed(), 7, start)
    expect(now.failedAt).toEqual([start])
    expect(now.state).toBe("unknown")
  })

  test("that was read is found, but may have moved all the same", () => {
    const broken = last(failed(), failed(), failed())
    if (broken === undefined) throw new Error("no check")
    expect(afterReading(broken, 7, start)).toMatchObject({ state: "ok", reason: null, failedAt: [] })
    const gone = afterLook(firstCheck(7, start), moved("https://a.example/"), 7, start)
    expect(afterReading(gone, 7, start + DAY)).toMatchObject({ state: "moved", to: "https://a.example/" })
  })

  test("fails again after it has moved, and is broken then, without the new address", () => {
    expect(last(moved("https://a.example/"), failed(), failed(), failed())).toMatchObject({
      state: "broken",
      to: null
    })
  })
})

describe("looks", () => {
  test("at links saved together are spread over a tenth of the pause, before and after", () => {
    const days = Array.from(
      { length: 1_000 },
      (_, id) => (afterLook(firstCheck(id, start), present, id, start).nextAt - start) / DAY
    )
    expect(Math.min(...days)).toBeGreaterThanOrEqual(54)
    expect(Math.max(...days)).toBeLessThanOrEqual(66)
    expect(new Set(days.map(Math.floor)).size).toBeGreaterThanOrEqual(12)
  })

  test("at a library saved before are spread evenly over the whole pause", () => {
    const perDay = new Map<number, number>()
    for (let id = 1; id <= 60_000; id++) {
      const day = Math.floor((firstLookAt(id, start) - start) / DAY)
      perDay.set(day, (perDay.get(day) ?? 0) + 1)
    }
    expect(perDay.size).toBe(REGULAR_PAUSE / DAY)
    for (const count of perDay.values()) expect(Math.abs(count - 1_000)).toBeLessThan(50)
  })
})
