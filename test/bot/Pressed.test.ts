import { describe, expect, test } from "bun:test"
import { makePressedTwice } from "../../src/bot/Pressed.ts"

const press = (arrival: number, data: string, under = "1 40") => ({ arrival, data, under })

describe("a button pressed twice", () => {
  test("at once is pressed once", () => {
    let now = 0
    const twice = makePressedTwice(() => now)
    expect(twice(press(1, "a"))).toBe(false)
    now = 1_000
    expect(twice(press(2, "a"))).toBe(true)
    now = 1_600
    expect(twice(press(3, "a"))).toBe(false)
  })
  test("is pressed twice under two messages, and where another was pressed between", () => {
    const twice = makePressedTwice(() => 0)
    expect(twice(press(1, "a"))).toBe(false)
    expect(twice(press(2, "a", "1 41"))).toBe(false)
    expect(twice(press(3, "b"))).toBe(false)
    expect(twice(press(4, "a"))).toBe(false)
  })
  test("is not what is taken up again after a failure", () => {
    const twice = makePressedTwice(() => 0)
    expect(twice(press(1, "a"))).toBe(false)
    expect(twice(press(1, "a"))).toBe(false)
  })
  test("is forgotten under a message that lies far back", () => {
    const twice = makePressedTwice(() => 0)
    for (let message = 0; message < 2_000; message++) twice(press(message, "a", `1 ${message}`))
    expect(twice(press(5_000, "a", "1 0"))).toBe(false)
    expect(twice(press(5_001, "a", "1 1999"))).toBe(true)
  })
})
