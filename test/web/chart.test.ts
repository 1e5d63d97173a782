import { describe, expect, test } from "bun:test"
import { axisEnd, monthLabels } from "../../web/app/chart.ts"

describe("an axis", () => {
  for (const [value, end] of [
    [0, 1],
    [1, 1],
    [3, 4],
    [5, 5],
    [6, 10],
    [10, 10],
    [11, 20],
    [46, 50],
    [999, 1_000],
    [1_000, 1_000],
    [1_001, 2_000]
  ] as const)
    test(`up to ${value} ends at ${end}`, () => expect(axisEnd(value)).toBe(end))
})

describe("the labels of weeks", () => {
  const weeks = (from: string, count: number) =>
    Array.from({ length: count }, (_, at) => new Date(Date.parse(from) + at * 7 * 86_400_000).toISOString())

  test("name each month at its first week", () => {
    expect(monthLabels(weeks("2026-01-05T00:00:00Z", 10))).toEqual([
      "Jan",
      "",
      "",
      "",
      "Feb",
      "",
      "",
      "",
      "Mar",
      ""
    ])
  })

  test("leave out a first month that ends too soon for its label", () => {
    expect(monthLabels(weeks("2026-01-26T00:00:00Z", 6))).toEqual(["", "Feb", "", "", "", "Mar"])
  })

  test("name a single month", () => {
    expect(monthLabels(weeks("2026-01-05T00:00:00Z", 2))).toEqual(["Jan", ""])
  })
})
