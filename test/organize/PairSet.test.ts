import { expect, test } from "bun:test"
import { PairSet } from "../../src/organize/PairSet.ts"

/** A deterministic random generator. */
const random = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test("PairSet agrees with a set of names over many changes", () => {
  const next = random(3)
  const pairs = new PairSet()
  const names = new Set<string>()
  const nameOf = (a: number, b: number) => `${Math.min(a, b)} ${Math.max(a, b)}`
  let wrong = 0
  for (let turn = 0; turn < 100_000; turn++) {
    const a = next(900)
    const b = (a + 1 + next(898)) % 900
    // The set grows, shrinks and grows again.
    const grows = next(100) < (Math.floor(turn / 20_000) % 2 === 0 ? 70 : 30)
    if (pairs.has(b, a) !== names.has(nameOf(a, b))) wrong++
    if (grows) {
      pairs.add(a, b)
      names.add(nameOf(a, b))
    } else {
      pairs.delete(b, a)
      names.delete(nameOf(a, b))
    }
  }
  expect(wrong).toBe(0)
  for (const name of names) {
    const [a = 0, b = 0] = name.split(" ").map(Number)
    if (!pairs.has(a, b)) wrong++
  }
  expect(wrong).toBe(0)
})

test("PairSet distinguishes pairs of the largest numbers", () => {
  const pairs = new PairSet()
  const most = 2 ** 26 - 1
  for (let n = 0; n < 5_000; n++) pairs.add(most - n, n)
  for (let n = 0; n < 5_000; n++) {
    expect(pairs.has(n, most - n)).toBe(true)
    expect(pairs.has(n, most - n - 1)).toBe(false)
  }
})
