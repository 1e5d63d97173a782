import { describe, expect, test } from "bun:test"
import { type Facts, makeSpeed, progressLine, progressSentence } from "../../src/cli/ProgressLine.ts"
import { widthOf } from "../../src/runtime/Terminal.ts"

const facts = (done: number, more: Partial<Facts> = {}): Facts => ({
  label: "Importing",
  unit: "link",
  step: { done, total: 2_000 },
  speed: 250,
  elapsed: 4_000,
  ...more
})

describe("a line of progress", () => {
  test("shows a bar, the share, the numbers, the rate and the time left", () => {
    expect(progressLine(facts(500), 90, true)).toBe(
      "Importing  ██████░░░░░░░░░░░░░░░░░░   25%    500 of 2,000 links     250/s  6 s left"
    )
    expect(progressLine(facts(2_000, { speed: undefined }), 200, false)).toBe(
      "Importing  ########################  100%  2,000 of 2,000 links"
    )
  })

  test("drops the rate, then the numbers, then the bar on narrower terminals", () => {
    expect(progressLine(facts(500), 70, false)).toBe(
      "Importing  ####.............   25%    500 of 2,000 links  6 s left"
    )
    expect(progressLine(facts(500), 50, false)).toBe("Importing  #####..............   25%  6 s left")
    expect(progressLine(facts(500), 20, false)).toBe("Importing 25%")
    expect(progressLine(facts(500), 8, false)).toBe("Importi")
  })

  test("is always narrower than the terminal, so that it can be rewritten", () => {
    for (let columns = 1; columns <= 120; columns++)
      for (const done of [0, 1, 999, 1_999, 2_000, 5_000])
        for (const speed of [undefined, 0.01, 12_345])
          expect(widthOf(progressLine(facts(done, { speed }), columns, true))).toBeLessThan(columns)
  })

  test("keeps its width while the numbers grow", () => {
    const bars = [1, 99, 1_000, 1_900].map(
      (done) => progressLine(facts(done, { speed: done }), 90, true).replace(/[^█░]/g, "").length
    )
    expect(new Set(bars).size).toBe(1)
  })

  test("shows sizes of files, and only the time without a total", () => {
    const bytes = facts(5_000_000, { unit: "byte", step: { done: 5_000_000, total: 20_000_000 }, speed: 1e6 })
    expect(progressLine(bytes, 100, false)).toContain("25%   5 MB of 20 MB    1 MB/s  15 s left")
    expect(progressLine(facts(0, { step: { done: 0, total: undefined } }), 80, true)).toBe(
      "Importing, 4 s so far"
    )
  })

  test("is a sentence in a log", () => {
    expect(progressSentence(facts(500))).toBe("Importing: 500 of 2,000 links (25%), 6 s left")
    expect(progressSentence(facts(0, { speed: undefined }))).toBe("Importing: 0 of 2,000 links (0%)")
    expect(progressSentence(facts(1, { speed: 0.1 }))).toContain("5 h 33 min left")
  })
})

test("the speed is that of the last ten seconds, once it is known", () => {
  const speed = makeSpeed()
  expect(speed(0, 0)).toBeUndefined()
  expect(speed(50, 500)).toBeUndefined()
  expect(speed(200, 2_000)).toBe(100)
  for (let second = 3; second <= 30; second++) speed(200 + (second - 2) * 10, second * 1_000)
  expect(speed(490, 31_000)).toBeCloseTo(10, 0)
})
