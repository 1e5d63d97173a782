import { describe, expect, test } from "bun:test"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { type ChatUpdate, chatOf, readUpdate, updateIdOf } from "../../src/bot/Update.ts"
import { DATA, describeData, json } from "../support/data.ts"

interface Case {
  readonly name: string
  readonly update: unknown
  readonly expect: {
    readonly action: string
    readonly urls?: ReadonlyArray<string>
    readonly note?: string
    readonly tags?: ReadonlyArray<string>
    readonly source?: string
    readonly command?: string
    readonly args?: string
    readonly replyTo?: number
    readonly data?: string
    readonly edit?: boolean
    readonly q?: string
  }
}

const OWNER = 4242

/** What a fixture's words for an action mean here. */
const wanted = ({ expect: it }: Case): Partial<ChatUpdate> | undefined => {
  const links = {
    ...(it.urls && { urls: it.urls }),
    ...(it.note !== undefined && { note: it.note }),
    ...(it.tags && { tags: it.tags })
  }
  switch (it.action) {
    case "save":
      return { _tag: "Save", ...links, ...(it.source && { source: it.source }) }
    case "update-from-edit":
      return { _tag: "Edit", ...links }
    case "set-note":
      return { _tag: "SetNote", replyTo: it.replyTo ?? 0, note: it.note ?? "" }
    case "command":
      return { _tag: "Command", args: it.args ?? "" }
    case "callback":
      return { _tag: "Callback", data: it.data ?? "", editable: it.edit ?? true }
    case "hint":
      return { _tag: "Hint" }
    case "search-or-hint":
      return { _tag: "Search", text: it.q ?? "" }
    case "ignore":
      return { _tag: "Ignored" }
    default:
      return undefined
  }
}

describeData("telegram-updates.json", "readUpdate on chat updates", () => {
  const cases = json<ReadonlyArray<Case>>("telegram-updates.json")
  for (const one of cases)
    test(one.name, () => {
      if (one.expect.action === "drop-silently") expect(chatOf(one.update)).not.toBe(OWNER)
      // A repetition is told by its number, which the inbox has seen.
      else if (one.expect.action === "ignore-duplicate-update")
        expect(updateIdOf(one.update)).toBe(updateIdOf(cases[0]?.update))
      else {
        const read = readUpdate(one.update)
        expect(read).toMatchObject(wanted(one) ?? { _tag: "Ignored" })
        if (read._tag === "Command" && one.expect.command !== "unknown")
          expect(read.name).toBe(one.expect.command ?? "")
        if (read._tag !== "Ignored") expect(chatOf(one.update)).toBe(OWNER)
      }
    })

  test("never breaks on a mutated update", () => {
    let seed = 1
    const random = (below: number) => {
      seed = (seed * 48271) % 2147483647
      return seed % below
    }
    const values: ReadonlyArray<unknown> = [
      null,
      7,
      -1,
      1e99,
      "",
      "\ud800",
      [],
      {},
      true,
      [[null]],
      { url: 5 }
    ]
    const mutate = (value: unknown): unknown => {
      if (random(12) === 0) return values[random(values.length)]
      if (Array.isArray(value)) return value.map(mutate)
      if (typeof value === "object" && value !== null)
        return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mutate(inner)]))
      return value
    }
    for (let round = 0; round < 200; round++)
      for (const one of cases) {
        const update = mutate(one.update)
        chatOf(update)
        updateIdOf(update)
        readUpdate(update)
      }
  })
})

describeData("telegram", "readUpdate on real updates of many kinds", () => {
  const files = readdirSync(join(DATA, "telegram"), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".json") && statSync(join(DATA, "telegram", name)).isFile())
  test(`reads all ${files.length} files without failing`, () => {
    for (const file of files) {
      const update = json<unknown>(`telegram/${file}`)
      for (const one of Array.isArray(update) ? update : [update]) {
        chatOf(one)
        expect(typeof readUpdate(one)._tag).toBe("string")
      }
    }
  })
})

const message = (text: string, more: object = {}) => ({
  update_id: 1,
  message: { message_id: 5, date: 1, chat: { id: OWNER, type: "private" }, text, ...more }
})

describe("chatOf", () => {
  for (const id of ["4242", 4242.5, null, {}, [4242], undefined, 1e300])
    test(`knows no chat numbered ${JSON.stringify(id)}`, () =>
      expect(chatOf({ update_id: 1, message: { chat: { id } } })).toBeNull())
  test("counts a message's own chat alone", () => {
    const inside = { id: OWNER }
    expect(
      chatOf({
        message: { chat: { id: 4243 }, from: inside, sender_chat: inside, reply_to_message: { chat: inside } }
      })
    ).toBe(4243)
  })
})

describe("readUpdate", () => {
  const links = (text: string) => {
    const read = readUpdate(message(text))
    return read._tag === "Save" ? { urls: read.urls, note: read.note } : read._tag
  }
  test("leaves the punctuation of the sentence out of an unmarked address", () =>
    expect(links("see (https://example.org/a_(b)), and https://example.org/c.")).toEqual({
      urls: ["https://example.org/a_(b)", "https://example.org/c"],
      note: "see, and."
    }))
  test("keeps a note of several lines together", () =>
    expect(links("first\nhttps://example.org/a\nsecond")).toEqual({
      urls: ["https://example.org/a"],
      note: "first second"
    }))
  test("survives nesting of a hundred thousand levels", () => {
    let deep: unknown = "x"
    for (let level = 0; level < 100_000; level++) deep = [deep]
    expect(readUpdate(message("", { rich_message: { blocks: deep } }))._tag).toBe("Hint")
  })
  test("searches for a message without an address", () =>
    expect(readUpdate(message("sqlite vectors"))).toMatchObject({ _tag: "Search", text: "sqlite vectors" }))
})
