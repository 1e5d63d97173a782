import { describe, expect, test } from "bun:test"
import { FastCheck, Option } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import {
  type ButtonAction,
  button,
  decode,
  encode,
  makeDoublePressGuard,
  rowsOf
} from "../../src/telegram/Buttons.ts"

const id = FastCheck.integer({ min: 1, max: 999_999_999_999_999 }).map((number) => LinkId.make(number))
const number = FastCheck.integer({ min: 0, max: 999_999_999_999_999 })
const token = FastCheck.uuid()
const on = FastCheck.boolean()

const aboutLink = <Tag extends string>(...tags: ReadonlyArray<Tag>) =>
  FastCheck.record({ _tag: FastCheck.constantFrom(...tags), id })

const press: FastCheck.Arbitrary<ButtonAction> = FastCheck.oneof(
  FastCheck.record({ _tag: FastCheck.constantFrom("Favorite" as const, "Share" as const), id, on }),
  FastCheck.record({ _tag: FastCheck.constant("Collections" as const), id, page: number }),
  FastCheck.record({
    _tag: FastCheck.constant("Move" as const),
    id,
    collection: FastCheck.oneof(FastCheck.constant(null), id)
  }),
  aboutLink("AskCollection" as const, "Tags" as const, "Refuse" as const),
  FastCheck.record({ _tag: FastCheck.constant("Tag" as const), id, list: number, index: number, on }),
  aboutLink(
    "Card" as const,
    "Show" as const,
    "Refresh" as const,
    "Delete" as const,
    "DeleteForGood" as const,
    "Similar" as const
  ),
  FastCheck.record({ _tag: FastCheck.constant("Undo" as const), id, token }),
  FastCheck.record({ _tag: FastCheck.constant("List" as const), list: number, page: number }),
  FastCheck.record({ _tag: FastCheck.constant("AllCollections" as const), page: number }),
  FastCheck.record({ _tag: FastCheck.constant("OpenCollection" as const), collection: number }),
  FastCheck.record({ _tag: FastCheck.constant("AllSaved" as const), page: number }),
  FastCheck.record({ _tag: FastCheck.constant("OpenSaved" as const), search: number }),
  FastCheck.record({
    _tag: FastCheck.constantFrom("Merge" as const, "MergeForGood" as const),
    job: number,
    id
  }),
  FastCheck.record({ _tag: FastCheck.constantFrom("Report" as const, "UndoJob" as const), job: number }),
  FastCheck.record({ _tag: FastCheck.constantFrom("UndoAnyway" as const, "UndoChange" as const), token })
)

const read = (data: string) => Option.getOrNull(decode(data))

describe("a button's data", () => {
  test("survives encoding, within 64 bytes", () => {
    FastCheck.assert(
      FastCheck.property(press, (one) => {
        const data = encode(one)
        expect(new TextEncoder().encode(data).length).toBeLessThanOrEqual(64)
        expect(read(data)).toEqual(one)
      }),
      { numRuns: 2_000 }
    )
  })

  // Chats keep messages with buttons for years.
  const TOKEN = "7f9c24e5-1111-4222-8333-abcdefabcdef"
  const sent: Record<string, unknown> = {
    "f:12:1": { _tag: "Favorite", id: 12, on: true },
    "1f:12:0": { _tag: "Favorite", id: 12, on: false },
    "1s:12:1": { _tag: "Share", id: 12, on: true },
    "1t:12:archived": { _tag: "State", id: 12, state: "archived" },
    "1p:12:2": { _tag: "Collections", id: 12, page: 2 },
    "1c:12:0": { _tag: "Move", id: 12, collection: null },
    "1c:12:7": { _tag: "Move", id: 12, collection: 7 },
    "1n:12": { _tag: "AskCollection", id: 12 },
    "1x:12": { _tag: "Card", id: 12 },
    "1v:12": { _tag: "Show", id: 12 },
    "1r:12": { _tag: "Refresh", id: 12 },
    "1m:12": { _tag: "Similar", id: 12 },
    "1z:12": { _tag: "Read", id: 12 },
    "1Z:12": { _tag: "Epub", id: 12 },
    "d:12": { _tag: "Delete", id: 12 },
    "1T:12": { _tag: "Trashed", id: 12 },
    "1q:12": { _tag: "AskForGood", id: 12 },
    "1D:12": { _tag: "DeleteForGood", id: 12 },
    "1R:12:1": { _tag: "Restore", id: 12, fromList: true },
    "1i:12": { _tag: "Tags", id: 12 },
    "1I:12:3:4:1": { _tag: "Tag", id: 12, list: 3, index: 4, on: true },
    "1h:12": { _tag: "Refuse", id: 12 },
    "1u:12:7f9c24e5-1111-4222-8333-abcdefabcdef": { _tag: "Undo", id: 12, token: TOKEN },
    "1l:3:4": { _tag: "List", list: 3, page: 4 },
    "1S:3:4": { _tag: "SaveOffer", list: 3, index: 4 },
    "1k:2": { _tag: "AllCollections", page: 2 },
    "1o:7": { _tag: "OpenCollection", collection: 7 },
    "1W:2": { _tag: "AllSaved", page: 2 },
    "1w:5": { _tag: "OpenSaved", search: 5 },
    "1g:9:12": { _tag: "Merge", job: 9, id: 12 },
    "1G:9:12": { _tag: "MergeForGood", job: 9, id: 12 },
    "1j:9": { _tag: "Report", job: 9 },
    "1U:9": { _tag: "UndoJob", job: 9 },
    "1F:9": { _tag: "FilePreview", job: 9 },
    "1E:9": { _tag: "DropPreview", job: 9 },
    "1K:3:1": { _tag: "Recategorize", scope: { all: true, otherModel: true }, on: true },
    "1e:7f9c24e5-1111-4222-8333-abcdefabcdef": { _tag: "UndoChange", token: TOKEN },
    "1a:7f9c24e5-1111-4222-8333-abcdefabcdef": { _tag: "UndoAnyway", token: TOKEN },
    "1y:6:0": { _tag: "Import", held: 6, on: false },
    "1b:7f9c24e5-1111-4222-8333-abcdefabcdef:1": { _tag: "SignIn", token: TOKEN, allow: true }
  }
  for (const [data, action] of Object.entries(sent))
    test(`keeps its meaning: ${data}`, () => expect<unknown>(read(data)).toEqual(action))

  test("is rejected if it is any other text", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.oneof(FastCheck.string(), FastCheck.string({ unit: "binary" })),
        (data) => {
          const one = decode(data)
          if (Option.isSome(one)) expect([data, `1${data}`]).toContain(encode(one.value))
        }
      ),
      { numRuns: 5_000 }
    )
  })

  test("is rejected after a change", () => {
    FastCheck.assert(
      FastCheck.property(press, FastCheck.nat(), FastCheck.string({ maxLength: 3 }), (one, at, more) => {
        const data = encode(one)
        const place = at % (data.length + 1)
        const changed = data.slice(0, place) + more + data.slice(place)
        const seen = read(changed)
        if (seen !== null) expect(encode(seen)).toBe(changed)
      }),
      { numRuns: 2_000 }
    )
  })

  for (const data of [
    "",
    "1",
    "1f",
    "1f:12",
    "1f:12:2",
    "1f:0:1",
    "1f:-1:1",
    "1p:12:-1",
    "1c:12:-1",
    "1l:-1:0",
    "1l:3:-1",
    "1k:-1",
    "1o:-1",
    "1g:-1:12",
    "1G:-1:12",
    "1j:-1",
    "1U:-1",
    "1T:12:3:4",
    "1T:12:3:4:2",
    "1T:12:3:4:1:1",
    "1T:0:3:4:1",
    "1f:012:1",
    "1f:12:1:9",
    "1f:1e3:1",
    "1f: 12:1",
    "2f:12:1",
    "1u:12:not-a-token",
    "1Q:12",
    "1c:12",
    "1d",
    "s:12:1",
    "f:12",
    "D:12",
    "1constructor:1",
    "1toString:12"
  ])
    test(`is rejected: ${JSON.stringify(data)}`, () => expect(read(data)).toBeNull())

  test("is accepted in two forms without a version", () => {
    expect(read("f:12:1")).toEqual({ _tag: "Favorite", id: LinkId.make(12), on: true })
    expect(read("f:12:0")).toEqual({ _tag: "Favorite", id: LinkId.make(12), on: false })
    expect(read("d:12")).toEqual({ _tag: "Delete", id: LinkId.make(12) })
  })
})

test("rowsOf puts buttons into rows", () => {
  const all = Array.from({ length: 5 }, (_, n) => button(String(n), { _tag: "Report", job: n }))
  expect(rowsOf(all, 2).map((row) => row.map(({ label }) => label))).toEqual([["0", "1"], ["2", "3"], ["4"]])
})

const pressOn = (arrival: number, data: string, under = "1 40") => ({ arrival, data, under })

describe("the double press guard", () => {
  test("drops a second press within 1.5 seconds", () => {
    let now = 0
    const twice = makeDoublePressGuard(() => now)
    expect(twice(pressOn(1, "a"))).toBe(false)
    now = 1_000
    expect(twice(pressOn(2, "a"))).toBe(true)
    now = 1_600
    expect(twice(pressOn(3, "a"))).toBe(false)
  })
  test("keeps presses under other messages and after other presses", () => {
    const twice = makeDoublePressGuard(() => 0)
    expect(twice(pressOn(1, "a"))).toBe(false)
    expect(twice(pressOn(2, "a", "1 41"))).toBe(false)
    expect(twice(pressOn(3, "b"))).toBe(false)
    expect(twice(pressOn(4, "a"))).toBe(false)
  })
  test("keeps a press that is retried", () => {
    const twice = makeDoublePressGuard(() => 0)
    expect(twice(pressOn(1, "a"))).toBe(false)
    expect(twice(pressOn(1, "a"))).toBe(false)
  })
  test("is forgotten under a message that lies far back", () => {
    const twice = makeDoublePressGuard(() => 0)
    for (let message = 0; message < 2_000; message++) twice(pressOn(message, "a", `1 ${message}`))
    expect(twice(pressOn(5_000, "a", "1 0"))).toBe(false)
    expect(twice(pressOn(5_001, "a", "1 1999"))).toBe(true)
  })
})
