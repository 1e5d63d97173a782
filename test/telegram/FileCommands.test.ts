import { describe, expect } from "bun:test"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { unzipSync } from "fflate"
import { chatTests, labelsOf, readOf } from "../support/ownerChat.ts"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"

const test = chatTests()

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

describe("/export", () => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-export-"))
  test(
    "sends every link as a file of the wanted format, and keeps nothing on disk",
    async ({ app, saveAll, say }) => {
      expect(readOf(await say("/export"))).toBe("Nothing is saved yet. Send me a link.")
      await saveAll(["Alpha page", "Beta page"])
      for (const [args, name, start] of [
        ["", /^linkbower-\d{4}-\d\d-\d\d\.json$/, '{"format":"linkbower"'],
        [" html", /\.html$/, "<!DOCTYPE NETSCAPE-Bookmark-file-1>"],
        [" CSV", /\.csv$/, ""]
      ] as const) {
        const message = await say(`/export${args}`)
        expect(readOf(message)).toBe("Your library: 2 links.")
        expect(labelsOf(message)).toEqual([])
        const file = app.files.at(-1)
        expect(file?.name).toMatch(name)
        expect(text(file?.bytes)).toStartWith(start)
        expect(text(file?.bytes)).toContain("https://example.org/beta-page")
      }
      // A file is removed right after its reply.
      await until(() => readdirSync(join(folder, "outgoing")).length === 0)
      expect(app.reactions.slice(-2).map(({ reaction }) => reaction)).toEqual(["👀", "👍"])
      rmSync(folder, { recursive: true })
    },
    { DATA_DIR: folder }
  )

  long(test)("compresses a large one", async ({ app, say }) => {
    const note = "many words about it ".repeat(900)
    const links = Array.from(
      { length: 80 },
      (_, n) => `<DT><A HREF="https://example.org/${n}">${n}</A><DD>${note}`
    )
    const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL>${links.join("\n")}</DL>`
    const response = await app.owner("POST", "/api/import?name=x.html&pages=later", new Blob([file]).stream())
    await app.ended((await response.json()).job)
    expect(readOf(await say("/export"))).toBe("Your library: 80 links.")
    const { bytes, name } = app.files.at(-1) ?? { bytes: new Uint8Array(), name: "" }
    expect(name).toMatch(/^linkbower-.*\.json\.zip$/)
    expect(bytes.length).toBeLessThan(200_000)
    const [[inside, content] = ["", new Uint8Array()], ...more] = Object.entries(unzipSync(bytes))
    expect([inside, more]).toEqual([name.slice(0, -".zip".length), []])
    expect(JSON.parse(text(content)).links.length).toBe(80)
  })
})

describe("/backup", () => {
  test(
    "is refused in a group",
    async ({ app, deliver }) => {
      await deliver({
        update_id: 1,
        message: {
          message_id: 1,
          date: 1,
          chat: { id: -100, type: "group" },
          from: { id: 4242, is_bot: false },
          text: "/backup@my_bot",
          entities: [{ type: "bot_command", offset: 0, length: 14 }]
        }
      })
      await app.settled()
      expect(readOf(app.sent.at(-1))).toBe(
        "A backup holds your whole library, so I send it only to a private chat, not to a group. Run linkbower backup on the server."
      )
      expect(app.files).toEqual([])
    },
    { ALLOWED_CHAT_ID: "-100" }
  )
})
