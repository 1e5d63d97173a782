import { describe, expect, test } from "bun:test"
import { LruMap } from "../../src/runtime/LruMap.ts"

const known = (map: LruMap<string, number>, keys: string) =>
  [...keys].filter((key) => map.get(key) !== undefined).join("")

describe("LruMap", () => {
  test("returns the last value set for a key", () => {
    const map = new LruMap<string, number>(2)
    map.set("a", 1)
    map.set("a", 2)
    expect(map.get("a")).toBe(2)
    expect(map.get("b")).toBeUndefined()
  })

  test("evicts the least recently used entry", () => {
    const map = new LruMap<string, number>(3)
    for (const [value, key] of [..."abc"].entries()) map.set(key, value)
    map.get("a")
    map.set("b", 7)
    map.set("d", 4)
    expect(known(map, "abcd")).toBe("abd")
    map.set("e", 5)
    expect(known(map, "abcde")).toBe("bde")
  })

  test("frees the place of a deleted entry and is empty after clear", () => {
    const map = new LruMap<string, number>(2)
    map.set("a", 1)
    map.set("b", 2)
    map.delete("a")
    map.delete("x")
    map.set("c", 3)
    expect(known(map, "abc")).toBe("bc")
    map.clear()
    expect(known(map, "abc")).toBe("")
  })

  test("keeps at most its limit of entries", () => {
    const map = new LruMap<number, number>(10)
    for (let key = 0; key < 1_000; key++) map.set(key, key)
    const held = Array.from({ length: 1_000 }, (_, key) => key).filter((key) => map.get(key) !== undefined)
    expect(held).toEqual([990, 991, 992, 993, 994, 995, 996, 997, 998, 999])
  })
})
