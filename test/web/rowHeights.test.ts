import { describe, expect, test } from "bun:test"
import { makeRowHeights } from "../../web/app/rowHeights.ts"

const rowsOf = (keys: ReadonlyArray<string>, height = 10) => ({
  count: keys.length,
  keyOf: (index: number) => keys[index] ?? "",
  estimate: () => height
})

describe("the heights of rows", () => {
  test("are estimated until they are measured", () => {
    const heights = makeRowHeights()
    heights.setRows(rowsOf(["a", "b", "c", "d"]))
    expect([heights.topOf(2), heights.total()]).toEqual([20, 40])
    expect(heights.measure(1, 25)).toBe(15)
    expect(heights.measure(1, 25)).toBe(0)
    expect([0, 1, 2, 3, 4].map(heights.topOf)).toEqual([0, 10, 35, 45, 55])
    expect(heights.total()).toBe(55)
  })

  test("find the row at a place, and the nearest one outside", () => {
    const heights = makeRowHeights()
    heights.setRows(rowsOf(["a", "b", "c"]))
    heights.measure(0, 30)
    expect([-5, 0, 29, 30, 39, 40, 999].map(heights.rowAt)).toEqual([0, 0, 0, 1, 1, 2, 2])
    heights.setRows(rowsOf([]))
    expect([heights.rowAt(0), heights.total(), heights.topOf(3)]).toEqual([0, 0, 0])
  })

  test("go with their rows when others come and go", () => {
    const heights = makeRowHeights()
    heights.setRows(rowsOf(["a", "b"]))
    heights.measure(1, 50)
    heights.setRows(rowsOf(["new", "a", "b", "c"]))
    expect([0, 1, 2, 3, 4].map(heights.topOf)).toEqual([0, 10, 20, 70, 80])
    heights.forget()
    heights.setRows(rowsOf(["b"], 7))
    expect(heights.total()).toBe(7)
  })
})
