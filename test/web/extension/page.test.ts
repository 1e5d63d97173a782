import { describe, expect, test } from "bun:test"
import { badgeOf } from "../../../web/extension/badge.ts"
import { bounded, clipped, joined, MAX_QUOTE, quote } from "../../../web/extension/capture.ts"
import { identityOf } from "../../../web/extension/identity.ts"
import { type Entry, readQueue } from "../../../web/extension/outbox.ts"
import { makeHash, makeSeen, type WithLock } from "../../../web/extension/seen.ts"
import { capture } from "./fakeBrowser.ts"

describe("a quotation", () => {
  test("marks each line, and drops empty ones", () => {
    expect(quote("  one\n\n   two  \nthree ")).toBe("> one\n> two\n> three")
    expect(quote(" \n ")).toBe("")
  })
  test("has at most 2,000 characters, and splits none", () => {
    const long = quote("😀".repeat(3_000))
    expect(long.length).toBeLessThanOrEqual(MAX_QUOTE)
    expect([long.isWellFormed(), long.endsWith("…")]).toEqual([true, true])
  })
  test("follows the note, without gaps for empty parts", () => {
    expect(joined("mine", "", "> theirs")).toBe("mine\n\n> theirs")
    expect(joined("", "")).toBe("")
  })
})

test("a capture has at most 4 kB of a page's text, in whole characters", () => {
  const page = bounded({
    title: "漢".repeat(4_000),
    description: "é".repeat(4_000),
    selection: "😀".repeat(4_000)
  })
  const bytes = new TextEncoder().encode(Object.values(page).join("")).length
  expect(bytes).toBeLessThanOrEqual(4_096)
  expect(bytes).toBeGreaterThan(3_900)
  for (const text of Object.values(page))
    expect([text.isWellFormed(), text.includes("\uFFFD")]).toEqual([true, false])
  expect(clipped(" short ", 10)).toBe("short")
})

describe("the badge", () => {
  const entry: Entry = { ...capture(), attempts: 0, heldUntil: 0 }
  const calm = readQueue(undefined)
  const look = (
    entries: ReadonlyArray<Entry>,
    {
      count = 1,
      flash,
      rejected = false,
      saving = 0,
      seen = false
    }: Partial<Parameters<typeof badgeOf>[0]> & { rejected?: boolean } = {}
  ) => badgeOf({ contents: { entries, queue: { ...calm, rejected } }, count, flash, saving, seen }).text

  test("shows progress, problems, waiting captures and saved pages, in this order", () => {
    expect(look([])).toBe("")
    expect(look([], { seen: true })).toBe("✓")
    expect(look([entry, entry], { seen: true })).toBe("2")
    expect(look([entry, { ...entry, refused: "No." }])).toBe("!")
    expect(look([entry], { rejected: true })).toBe("!")
    expect(look([entry], { rejected: true, saving: 1 })).toBe("…")
    expect(look([entry], { saving: 1, flash: "done" })).toBe("✓")
    expect(look([], { flash: "problem" })).toBe("!")
    expect(look([], { flash: "done", count: 12 })).toBe("12")
  })
})

describe("the mark of saved pages", () => {
  const fresh = (limit?: number) => {
    const kept = new Map<string, unknown>()
    const storage = {
      get: async (key: string) => ({ [key]: kept.get(key) }),
      set: async (items: Readonly<Record<string, unknown>>) => {
        for (const [key, value] of Object.entries(items)) kept.set(key, value)
      }
    }
    const withLock: WithLock = (_, work) => work()
    return {
      kept,
      storage,
      seen: makeSeen(
        storage,
        makeHash(storage, withLock),
        async (address) => identityOf(address),
        withLock,
        limit
      )
    }
  }

  test("recognizes a page, and stores no readable address", async () => {
    const { kept, seen } = fresh()
    await seen.add("https://example.org/secret-page?utm_source=x")
    expect(await seen.has("https://example.org/secret-page/")).toBe(true)
    expect(await seen.has("https://example.org/other")).toBe(false)
    expect(JSON.stringify([...kept])).not.toContain("example")
  })

  test("hashes differently in each browser, and in the same way at every start", async () => {
    const withLock: WithLock = (_, work) => work()
    const hashes = await Promise.all(
      [fresh(), fresh()].map(async ({ storage }) => {
        const once = await makeHash(storage, withLock)("example.org/a")
        expect(await makeHash(storage, withLock)("example.org/a")).toBe(once)
        return once
      })
    )
    expect(hashes[0]).not.toBe(hashes[1])
  })

  test("forgets the oldest page when it is full", async () => {
    const { kept, seen } = fresh(3)
    for (const page of [1, 2, 2, 3, 4]) await seen.add(`https://example.org/${page}`)
    const known = [1, 2, 3, 4].map((page) => seen.has(`https://example.org/${page}`))
    expect(await Promise.all(known)).toEqual([false, true, true, true])
    expect(String(kept.get("seen")).length).toBe(30)
  })
})
