import { describe, expect, test } from "bun:test"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { commands } from "../../src/telegram/Commands.ts"
import { type ChatUpdate, chatOf, readUpdate, updateIdOf } from "../../src/telegram/Update.ts"
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

/** The parsed update that a fixture's action stands for. */
const parsedAs = ({ expect: it }: Case): Partial<ChatUpdate> | undefined => {
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

describeData("telegram-updates.json", "readUpdate with the table of updates", () => {
  const cases = json<ReadonlyArray<Case>>("telegram-updates.json")
  for (const one of cases)
    test(one.name, () => {
      if (one.expect.action === "drop-silently") expect(chatOf(one.update)).not.toBe(OWNER)
      // The inbox recognizes a repeated update by its id.
      else if (one.expect.action === "ignore-duplicate-update")
        expect(updateIdOf(one.update)).toBe(updateIdOf(cases[0]?.update))
      else {
        const read = readUpdate(one.update)
        expect(read).toMatchObject(parsedAs(one) ?? { _tag: "Ignored" })
        if (read._tag === "Command" && one.expect.command !== "unknown")
          expect(read.name).toBe(one.expect.command ?? "")
        if (read._tag !== "Ignored") expect(chatOf(one.update)).toBe(OWNER)
      }
    })
})

describeData("telegram", "readUpdate with real updates", () => {
  const files = readdirSync(join(DATA, "telegram"), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".json") && statSync(join(DATA, "telegram", name)).isFile())
  test(`parses all ${files.length} files`, () => {
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
    test(`rejects the chat id ${JSON.stringify(id)}`, () =>
      expect(chatOf({ update_id: 1, message: { chat: { id } } })).toBeNull())
  test("returns the chat of a button's message, in a private chat only for its owner", () => {
    const pressed = (from: number | undefined, type: string) =>
      chatOf({ callback_query: { from: { id: from }, message: { chat: { id: OWNER, type } } } })
    expect(pressed(OWNER, "private")).toBe(OWNER)
    expect(pressed(667, "private")).toBeNull()
    expect(pressed(undefined, "private")).toBeNull()
    expect(pressed(667, "supergroup")).toBe(OWNER)
    expect(chatOf({ callback_query: { from: { id: OWNER } } })).toBeNull()
  })
  for (const update of [undefined, null, 1, "x", [], {}, { message: [] }, { message: { chat: [OWNER] } }])
    test(`finds no chat in ${JSON.stringify(update)}`, () => expect(chatOf(update)).toBeNull())
  test("returns only the message's own chat", () => {
    const inside = { id: OWNER }
    expect(
      chatOf({
        message: { chat: { id: 4243 }, from: inside, sender_chat: inside, reply_to_message: { chat: inside } }
      })
    ).toBe(4243)
  })
})

describe("updateIdOf", () => {
  for (const id of ["1", 1.5, null, [1], undefined, 1e300])
    test(`rejects ${JSON.stringify(id)}`, () => expect(updateIdOf({ update_id: id })).toBeNull())
})

describe("readUpdate", () => {
  const command = (text: string, length: number) =>
    message(text, { entities: [{ type: "bot_command", offset: 0, length }] })
  const bots = { reply_to_message: { message_id: 40, from: { id: 7, is_bot: true } } }
  test("hints that /save needs a link", () => {
    expect(readUpdate(command("/save", 5))).toMatchObject({ _tag: "Hint", reason: "nothing-to-save" })
    expect(readUpdate(command("/save it", 5))).toMatchObject({ _tag: "Hint", reason: "nothing-to-save" })
  })
  test("parses a command's name, bot and arguments", () =>
    expect(readUpdate(command("/Find@my_bot two  words ", 12))).toMatchObject({
      _tag: "Command",
      name: "find",
      mention: "my_bot",
      args: "two  words"
    }))
  test("parses a command in a caption", () =>
    expect(
      readUpdate(
        message("", { caption: "/find x", caption_entities: [{ type: "bot_command", offset: 0, length: 5 }] })
      )
    ).toMatchObject({ _tag: "Command", name: "find", args: "x" }))
  test("parses a reply to the bot as a note, unless it has a web address", () => {
    const quote = { text: "https://example.org/summary" }
    expect(readUpdate(message("mine", { ...bots, quote }))).toMatchObject({ _tag: "SetNote", note: "mine" })
    const entities = [{ type: "url", offset: 4, length: 17 }]
    expect(readUpdate(message("see ftp://x.example/a", { ...bots, entities }))).toMatchObject({
      _tag: "SetNote",
      note: "see ftp://x.example/a"
    })
    expect(readUpdate(message("and https://example.org/a", bots))).toMatchObject({ _tag: "Save" })
  })
  test("parses a reply to any message as a note or a command about it", () => {
    const own = { reply_to_message: { message_id: 41, from: { id: OWNER, is_bot: false } } }
    expect(readUpdate(message("mine", own))).toMatchObject({ _tag: "SetNote", replyTo: 41, note: "mine" })
    const entities = [{ type: "bot_command", offset: 0, length: 5 }]
    expect(readUpdate(message("/move Databases", { ...own, entities }))).toMatchObject({
      _tag: "Command",
      name: "move",
      args: "Databases",
      replyTo: 41
    })
    expect(readUpdate(message("/move 12 Databases", { entities }))).toMatchObject({ replyTo: null })
  })
  test("ignores commands in forwarded messages", () => {
    const forward_origin = { type: "user", date: 1, sender_user: { id: 9, is_bot: false } }
    const entities = [{ type: "bot_command", offset: 0, length: 7 }]
    expect(readUpdate(message("/delete 12", { entities, forward_origin }))).toMatchObject({ _tag: "Hint" })
  })
  test("parses the bot that /save mentions", () => {
    const entities = [{ type: "bot_command", offset: 0, length: 13 }]
    const text = "/save@the_bot https://example.org/a"
    expect(readUpdate(message(text, { entities }))).toMatchObject({ _tag: "Save", mention: "the_bot" })
    expect(readUpdate(message("https://example.org/a"))).toMatchObject({ mention: null })
  })
  test("parses a command with links as a command", () => {
    const names = [...commands.map(({ name }) => name), "fav", "read", "constructor"]
    for (const name of names.filter((one) => one !== "save"))
      for (const called of [`/${name}`, `/${name}@my_bot`])
        for (const rest of ["https://example.org/a", "12 https://example.org/a", "see example.org/a"]) {
          const text = `${called} ${rest}`
          const marks = [{ type: "bot_command", offset: 0, length: called.length }]
          const at = text.indexOf("example.org/a")
          const url = rest.startsWith("see") ? [{ type: "url", offset: at, length: 13 }] : []
          const entities = [...marks, ...url]
          const read = { _tag: "Command", name, args: rest, hasLinks: true } as const
          expect(readUpdate(message(text, { entities }))).toMatchObject(read)
          const photo = { caption: text, caption_entities: entities, photo: [{ file_id: "x" }] }
          expect(readUpdate(message("", photo))).toMatchObject(read)
        }
  })
  test("parses a command with links outside its text", () => {
    const entities = [{ type: "bot_command", offset: 0, length: 8 }]
    const reply_markup = { inline_keyboard: [[{ text: "x", url: "https://example.org/a" }]] }
    const quote = { text: "https://example.org/b" }
    const link_preview_options = { url: "https://example.org/c" }
    for (const more of [{ reply_markup }, { quote }, { link_preview_options }])
      expect(readUpdate(message("/refresh 12", { entities, ...more }))).toMatchObject({
        _tag: "Command",
        args: "12",
        hasLinks: false
      })
  })
  test("separates a command's words from its links", () => {
    const words = (text: string, more: ReadonlyArray<object> = []) => {
      const read = readUpdate(
        message(text, { entities: [{ type: "bot_command", offset: 0, length: 13 }, ...more] })
      )
      return read._tag === "Command" ? [read.words, read.hasLinks] : []
    }
    expect(words("/recategorize")).toEqual(["", false])
    expect(words("/recategorize  All ")).toEqual(["All", false])
    expect(words("/recategorize https://example.org/a")).toEqual(["", true])
    expect(words("/recategorize all https://example.org/a https://example.org/b")).toEqual(["all", true])
    expect(words("/recategorize ftp://x.example/a")).toEqual(["ftp://x.example/a", false])
    const link = { type: "text_link", offset: 14, length: 4, url: "https://example.org/a" }
    expect(words("/recategorize this", [link])).toEqual(["this", true])
  })
  test("ignores an edit that makes a message a command", () => {
    for (const text of ["/find https://example.org/a", "/read https://example.org/a", "/help"]) {
      const { message: edited } = command(text, /^\/\w+/.exec(text)?.[0].length ?? 0)
      expect(readUpdate({ edited_message: edited })._tag).toBe("Ignored")
    }
  })
  test("keeps a URL that cannot be saved in the note", () => {
    const entities = [
      { type: "url", offset: 0, length: 17 },
      { type: "url", offset: 22, length: 21 }
    ]
    expect(readUpdate(message("ftp://x.example/a and https://example.org/a", { entities }))).toMatchObject({
      urls: ["https://example.org/a"],
      note: "ftp://x.example/a and"
    })
  })
  test("parses an edited reply as a change of the note, and ignores an edited search", () => {
    expect(readUpdate({ edited_message: message("only words now").message })._tag).toBe("Ignored")
    const { message: changed } = message("only words now", bots)
    expect(readUpdate({ edited_message: changed })).toMatchObject({
      _tag: "Edit",
      urls: [],
      note: "only words now"
    })
    expect(readUpdate({ edited_message: { ...changed, text: undefined, location: {} } })._tag).toBe("Ignored")
  })
  test("parses a rich message as a note or a search", () => {
    const link = { type: "url", text: "the docs", url: "https://example.org/d" }
    const tag = { type: "hashtag", text: "#rust", hashtag: "rust" }
    const rich = (...text: ReadonlyArray<unknown>) =>
      readUpdate(message("", { rich_message: { blocks: [{ type: "paragraph", text }] } }))
    expect(rich("Read ", link, " soon ", tag)).toMatchObject({
      _tag: "Save",
      urls: ["https://example.org/d"],
      note: "Read the docs soon",
      tags: ["rust"]
    })
    expect(rich("sqlite vectors")).toMatchObject({ _tag: "Search", text: "sqlite vectors" })
  })
  test("offers to save a bare domain in doubt", () => {
    const offersOf = (text: string, domain: string, more: object = {}) => {
      const entities = [{ type: "url", offset: text.indexOf(domain), length: domain.length }]
      const read = readUpdate(message(text, { entities, ...more }))
      return read._tag === "Search" || read._tag === "Hint" || read._tag === "SetNote"
        ? [read._tag, read.offers]
        : read._tag
    }
    const offer = { label: "v2.ai", url: "https://v2.ai", note: "", tags: [] }
    expect(offersOf("what is v2.ai?", "v2.ai")).toEqual(["Search", [offer]])
    expect(offersOf("v2.ai read this #later", "v2.ai")).toEqual([
      "Search",
      [{ ...offer, note: "read this", tags: ["later"] }]
    ])
    expect(offersOf("we use v2.ai at work", "v2.ai")).toEqual([
      "Search",
      [{ ...offer, note: "we use v2.ai at work" }]
    ])
    expect(offersOf("see v2.ai", "v2.ai", bots)).toEqual(["SetNote", [{ ...offer, note: "see" }]])
    const forward_origin = { type: "hidden_user", sender_user_name: "x", date: 1 }
    expect(offersOf("we use v2.ai at work", "v2.ai", { forward_origin })).toMatchObject([
      "Hint",
      [{ url: offer.url }]
    ])
    const previewed = { link_preview_options: { url: "https://v2.ai/" } }
    expect(offersOf("what is v2.ai?", "v2.ai", previewed)).toEqual(["Search", [offer]])
    expect(offersOf("site:v2.ai prices", "v2.ai", previewed)).toEqual(["Search", []])
    expect(offersOf("v2.ai", "v2.ai")).toBe("Save")
  })
  test("saves a domain in doubt after /save", () => {
    const text = "/save read v2.ai soon"
    const entities = [
      { type: "bot_command", offset: 0, length: 5 },
      { type: "url", offset: 11, length: 5 }
    ]
    expect(readUpdate(message(text, { entities }))).toMatchObject({ _tag: "Save", urls: ["https://v2.ai"] })
  })
  test("parses a message without a URL as a search", () =>
    expect(readUpdate(message("sqlite vectors"))).toMatchObject({ _tag: "Search", text: "sqlite vectors" }))
})

describe("readUpdate with text like a command", () => {
  const marked = (text: string, length: number) =>
    readUpdate(message(text, { entities: [{ type: "bot_command", offset: 0, length }] }))
  test("saves the link after a path, with the path as note", () =>
    expect(marked("/etc/hosts https://example.org/a", 4)).toMatchObject({
      _tag: "Save",
      urls: ["https://example.org/a"],
      note: "/etc/hosts"
    }))
  test("saves the links after /save", () =>
    expect(marked("/save https://example.org/a", 5)).toMatchObject({
      _tag: "Save",
      urls: ["https://example.org/a"]
    }))
  test("saves the link of a forwarded command", () => {
    const entities = [{ type: "bot_command", offset: 0, length: 5 }]
    const forward_origin = { type: "hidden_user", sender_user_name: "x", date: 1 }
    expect(readUpdate(message("/read https://example.org/a", { entities, forward_origin }))._tag).toBe("Save")
  })
})
