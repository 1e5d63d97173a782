import { expect, test } from "bun:test"
import { makeRateLimit, makeTokenBuckets } from "../../src/runtime/RateLimit.ts"

test("a limit holds in any period, by key, and says how long to wait", () => {
  const limit = makeRateLimit([{ times: 2, within: "1 second" }], 2)
  const at = (key: string, now: number) => {
    const wait = limit.wait(key, now)
    if (wait === 0) limit.count(key, now)
    return wait
  }
  expect([at("a", 0), at("a", 400), at("a", 500), at("b", 500), at("a", 1_000)]).toEqual([0, 0, 500, 0, 0])
  expect(at("a", 1_100)).toBe(300)
  limit.takeBack("a", 1_000)
  expect(at("a", 1_100)).toBe(0)
  limit.forget("a")
  expect([at("a", 1_200), at("a", 1_200), at("a", 1_200)]).toEqual([0, 0, 1_000])
})

test("a token bucket admits a burst, then its rate, also after the clock is set back", () => {
  const take = makeTokenBuckets({ burst: 2, perSecond: 0.5 }, 10)
  expect([take("a", 0), take("a", 0), take("a", 0), take("b", 0)]).toEqual([0, 0, 2, 0])
  expect([take("a", 1_000), take("a", 2_000), take("a", 500)]).toEqual([1, 0, 2])
})
