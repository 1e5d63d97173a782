import { describe, expect, test } from "bun:test"
import { columnsOf, plain, styled, traitsOf, widthOf, wrapped } from "../../src/runtime/Terminal.ts"

describe("the traits of a terminal", () => {
  test("come from the environment", () => {
    const all = { canRewrite: true, hasColours: true, hasUnicode: true }
    expect(traitsOf({ TERM: "xterm", LANG: "en_US.UTF-8" })).toEqual(all)
    expect(traitsOf({ NO_COLOR: "1", LANG: "C.utf8" })).toEqual({ ...all, hasColours: false })
    expect(traitsOf({ NO_COLOR: "", LC_CTYPE: "C.UTF-8" })).toEqual(all)
    expect(traitsOf({ TERM: "dumb", LANG: "en_US.UTF-8", LC_ALL: "C" })).toEqual({
      canRewrite: false,
      hasColours: false,
      hasUnicode: false
    })
  })

  test("include a width, which is 80 where it is unknown", () => {
    expect([{ columns: 120 }, { columns: 0 }, {}].map(columnsOf)).toEqual([120, 80, 80])
  })
})

describe("wrapping", () => {
  test("breaks at spaces, and gives a longer word a line of its own", () => {
    expect(wrapped("one two three", 7)).toEqual(["one two", "three"])
    expect(wrapped("a verylongword b", 5)).toEqual(["a", "verylongword", "b"])
    expect(wrapped("", 5)).toEqual([])
    expect(wrapped("a b", Number.POSITIVE_INFINITY)).toEqual(["a b"])
  })

  test("keeps together what must not be broken, and counts wide characters as two columns", () => {
    expect(wrapped("x [--a B] y", 8, /\[[^\]]*\]|\S+/g)).toEqual(["x", "[--a B]", "y"])
    expect(wrapped("日本 日本", 6)).toEqual(["日本", "日本"])
  })
})

test("a style takes no columns and can be removed", () => {
  expect([widthOf(styled("red", "abc")), plain(styled("bold", "abc"))]).toEqual([3, "abc"])
})
