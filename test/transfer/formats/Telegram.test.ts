import { describe, expect, test } from "bun:test"
import { telegram } from "../../../src/transfer/formats/Telegram.ts"
import exported from "../samples/telegram.json"
import { bookmark, bookmarksIn, jsonFile } from "../support/files.ts"

const note = "Two of them: and the docs\nWorth it\nForwarded from News Channel"
const tags = ["rust", "dev_tools"]
const createdAt = "2024-01-02T10:00:00.000Z"

const wanted = [
  bookmark({ place: 2, url: "https://example.com/a", note, tags, createdAt }),
  bookmark({ place: 2, url: "https://example.org/docs", note, tags, createdAt }),
  bookmark({ place: 4, url: "https://example.net/x", createdAt: "2024-01-04T10:00:00.000Z" })
]

/** One message's links, in a chat of its own. */
const message = async (text: unknown, more: object = {}) => {
  const messages = [{ id: 1, type: "message", date: "2024-01-02T10:00:00", text, ...more }]
  const bookmarks = await bookmarksIn(telegram, jsonFile({ type: "personal_chat", id: 1, messages }))
  return { urls: bookmarks.map(({ url }) => url), note: bookmarks[0]?.note ?? "" }
}
const link = (text: string) => ({ type: "link", text })

describe("telegram", () => {
  test("reads every link of a chat", async () =>
    expect(await bookmarksIn(telegram, jsonFile(exported))).toEqual(wanted))

  test("reads all chats of an account, numbered consecutively", async () => {
    const talk = { name: "Ann", type: "personal_chat", id: 1, messages: exported.messages }
    const account = {
      about: "Here is the data you requested.",
      chats: { about: "chats", list: [talk, exported] },
      left_chats: { about: "left", list: [{ name: "Gone", type: "public_channel", id: 3 }] }
    }
    expect(await bookmarksIn(telegram, jsonFile(account))).toEqual([
      ...wanted,
      ...wanted.map((one) => ({ ...one, place: one.place + 4 }))
    ])
  })

  test("falls back to the local time", async () => {
    const bookmarks = await bookmarksIn(
      telegram,
      jsonFile({
        messages: [{ type: "message", date: "2024-01-02T10:00:00", text: [link("https://a.example/")] }]
      })
    )
    expect(bookmarks[0]?.createdAt).toBe(createdAt)
  })

  test("finds unmarked addresses, without the sentence's punctuation", async () =>
    expect(await message("see (https://a.example/x_(y)), or https://b.example/.")).toEqual({
      urls: ["https://a.example/x_(y)", "https://b.example/"],
      note: "see, or."
    }))

  test("leaves the sentence that is marked with an address among the words", async () =>
    expect(await message(["看 ", link("a.example/x，复制本条信息"), " ok"])).toEqual({
      urls: ["https://a.example/x"],
      note: "看 ，复制本条信息 ok"
    }))

  test("returns an address once per message", async () =>
    expect(
      await message([
        link("https://a.example/"),
        " again ",
        { type: "text_link", text: "here", href: "https://a.example/" }
      ])
    ).toEqual({ urls: ["https://a.example/"], note: "again here" }))

  test("keeps other addresses and code in the note", async () =>
    expect(
      await message([
        link("https://a.example/"),
        " ",
        link("tg://resolve?domain=x"),
        " ",
        { type: "code", text: "x = 1" }
      ])
    ).toEqual({ urls: ["https://a.example/"], note: "tg://resolve?domain=x x = 1" }))

  test("omits a link's label if it is an address", async () =>
    expect(
      await message([
        { type: "text_link", text: "https://a.example/", href: "https://a.example/?full" },
        " - nice"
      ])
    ).toEqual({ urls: ["https://a.example/?full"], note: "nice" }))

  for (const text of [null, undefined, 5, {}, [null, 5, [], {}, { type: "link" }, { type: "hashtag" }]])
    test(`finds no link in ${JSON.stringify(text)}`, async () =>
      expect((await message(text)).urls).toEqual([]))

  test("reads long runs of punctuation in linear time", async () => {
    const long = `https://a.example/ ${".".repeat(200_000)}x ${"( ".repeat(100_000)} ${", ".repeat(100_000)}z`
    expect((await message(long)).urls).toHaveLength(1)
  })
})
