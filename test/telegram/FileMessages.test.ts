import { describe, expect } from "bun:test"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { strToU8 } from "fflate"
import {
  chatTests,
  dataOf,
  labelsOf,
  type OwnerChat,
  ownerMessage,
  ownerPress,
  readOf
} from "../support/ownerChat.ts"
import { until } from "../support/service.ts"

const test = chatTests()

let files = 0

/** A message with a file of this content. */
const fileMessage = (
  { app }: OwnerChat,
  file_name: string,
  content: string | Uint8Array,
  more: object = {}
) => {
  const bytes = typeof content === "string" ? strToU8(content) : content
  const file_id = `file-${++files}`
  app.uploads.set(file_id, bytes)
  const { message, update_id } = ownerMessage("", {
    document: { file_id, file_unique_id: file_id, file_name, file_size: bytes.length },
    ...more
  })
  const { text: _, ...withoutText } = message
  return { update_id, message: withoutText }
}

/** Sends a file; returns the last reply. */
const sendFile = async (chat: OwnerChat, name: string, content: string | Uint8Array, more: object = {}) => {
  await chat.deliver(fileMessage(chat, name, content, more))
  await chat.app.settled()
  return chat.last()
}

/** A file of bookmarks with these paths at example.org. */
const bookmarks = (...paths: ReadonlyArray<string>) =>
  `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${paths
    .map((path) => `<DT><A HREF="https://example.org/${path}">About ${path}</A>`)
    .join("\n")}</DL>`

/** Waits for an edit of the question that matches. */
const edited = ({ app }: OwnerChat, wanted: RegExp) =>
  until(() => app.edits.findLast((one) => wanted.test(readOf(one))))

describe("a file of links", () => {
  test("is imported once after a yes, and the question turns into the result", async (chat) => {
    const { app, links, press } = chat
    await chat.save("One")
    const question = await sendFile(chat, "bookmarks.html", bookmarks("one?t=One", "two", "three"))
    expect(readOf(question)).toStartWith("Import 3 links from “bookmarks.html”? 1 is already here.\n")
    expect(labelsOf(question)).toEqual([["Import", "Cancel"]])
    expect((await links()).length).toBe(1)
    const id = chat.lastId()
    const data = dataOf(question, "Import")
    // Two presses at once, and one later.
    await Promise.all([chat.deliver(ownerPress(data, id)), chat.deliver(ownerPress(data, id))])
    const result = await edited(chat, /2 links? imported · 1 already here/)
    expect(result).toMatchObject({ messageId: id })
    expect(labelsOf(result)).toEqual([["↩ Take back"]])
    expect((await links()).length).toBe(3)
    // Under another number, because quick presses of one button count as one.
    expect(await press(data, 1)).toBe("Already imported")
    const jobs: ReadonlyArray<{ action: string }> = (await (await app.owner("GET", "/api/jobs")).json()).jobs
    expect(jobs.filter(({ action }) => action === "import").length).toBe(1)
    expect(await press(dataOf(question, "Cancel"), 2)).toBe("I no longer have this file. Send it again.")
    await press(dataOf(result, "↩"), id)
    expect((await links()).map(({ title }) => title)).toEqual(["One"])
  })

  test("says that its only link is here", async (chat) => {
    await chat.save("One")
    expect(readOf(await sendFile(chat, "a.html", bookmarks("one?t=One")))).toContain("It’s already here.")
  })

  test("is held once, however often its message is delivered", async (chat) => {
    const update = fileMessage(chat, "list.txt", "https://example.org/a")
    await chat.deliver(update)
    await chat.deliver(update)
    await chat.app.settled()
    expect(chat.app.sent.length).toBe(1)
  })

  const folder = mkdtempSync(join(tmpdir(), "linkbower-held-"))
  const held = () => (existsSync(join(folder, "imports")) ? readdirSync(join(folder, "imports")) : [])
  test(
    "is refused beyond five that wait for an answer",
    async (chat) => {
      for (const n of [1, 2, 3, 4, 5]) await sendFile(chat, `${n}.txt`, `https://example.org/${n}`)
      const refusal = await sendFile(chat, "6.txt", "https://example.org/6")
      expect(readOf(refusal)).toBe(
        "5 files are already waiting for your answer. Import or cancel one, then send this one again."
      )
      expect(held().length).toBe(5)
      await chat.press(dataOf(chat.app.sent[0], "Cancel"), 900_001)
      expect(readOf(await sendFile(chat, "6.txt", "https://example.org/6"))).toContain("Import 1 link")
      rmSync(folder, { recursive: true })
    },
    { DATA_DIR: folder }
  )
})

describe("a file that is not one of links", () => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-refused-"))
  test(
    "is answered with the reason, and nothing is kept",
    async (chat) => {
      for (const [name, content] of [
        ["picture.png", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13])],
        ["places.sqlite", strToU8(`SQLite format 3\0${"\0".repeat(100)}`)],
        ["broken.json", strToU8("[{")],
        ["empty.txt", strToU8("")]
      ] as const) {
        const reply = await sendFile(chat, name, content)
        expect(readOf(reply)).toMatch(/^[A-Z“].*\.$/s)
        expect(labelsOf(reply)).toEqual([])
      }
      expect(await chat.links()).toEqual([])
      expect(readdirSync(join(folder, "imports"))).toEqual([])
      expect(chat.app.reactions.at(-1)?.reaction).toBe("🤷")
      rmSync(folder, { recursive: true })
    },
    { DATA_DIR: folder }
  )
})
