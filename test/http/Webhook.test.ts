import { describe, expect, test } from "bun:test"
import { type App, makeApp } from "../support/app.ts"
import { describeData, json } from "../support/data.ts"

const withApp = (name: string, body: (app: App) => Promise<void>, overrides: Record<string, string> = {}) =>
  test(name, async () => {
    const app = makeApp(overrides)
    await body(app).finally(app.dispose)
  })

const links = async (app: App) => (await (await app.owner("GET", "/api/links?sort=oldest")).json()).links

let next = 100
const message = (text: string, more: object = {}) => ({
  update_id: next,
  message: {
    message_id: next++,
    date: 1,
    chat: { id: 4242, type: "private" },
    from: { id: 4242 },
    text,
    ...more
  }
})

describe("POST /webhook", () => {
  withApp("saves a link with the note around it, and answers with its number", async (app) => {
    expect((await app.webhook(message("https://example.org/?t=A+page worth a look"))).status).toBe(200)
    await app.settled()
    expect(await links(app)).toMatchObject([
      {
        id: 1,
        url: "https://example.org/?t=A+page",
        title: "A page",
        note: "worth a look",
        summary: "In short.",
        category: "reading",
        tags: ["some-tag"]
      }
    ])
    expect(app.sent.length).toBe(1)
    expect(app.sent[0]).toMatchObject({ chatId: 4242, replyTo: 100 })
    for (const part of ["#1", "A page", "reading", "#some_tag", "In short.", "worth a look"])
      expect(app.sent[0]?.html).toContain(part)
  })

  withApp(
    "has one effect of an update that comes many times, at once and later, with another text",
    async (app) => {
      const update = message("https://example.org/?t=First")
      await Promise.all(Array.from({ length: 20 }, () => app.webhook(update)))
      await app.settled()
      await app.webhook({ ...update, message: { ...update.message, text: "https://example.org/second" } })
      await app.settled()
      expect(await links(app)).toMatchObject([{ title: "First" }])
      expect(app.sent.length).toBe(1)
    }
  )

  withApp("says so when a link was there before, and adds the new note once", async (app) => {
    for (const note of ["first", "second", "second"])
      await app.webhook(message(`https://example.org/?t=A ${note}`))
    await app.settled()
    expect(await links(app)).toMatchObject([{ note: "first\nsecond" }])
    expect(app.sent[2]?.html).toContain("Already saved")
  })

  withApp("saves every link of a message and answers once", async (app) => {
    await app.webhook(message("https://example.org/?t=One and https://example.org/b?t=Two"))
    await app.settled()
    expect(await links(app)).toMatchObject([
      { title: "One", note: "and" },
      { title: "Two", note: "and" }
    ])
    expect(app.sent.length).toBe(1)
    expect(app.sent[0]?.html).toContain("2 saved")
  })

  withApp("answers words without a link with the best matches", async (app) => {
    await app.webhook(message("https://example.org/?t=Zanzibar+ledger"))
    await app.settled()
    await app.webhook(message("zanzibar"))
    await app.webhook(message("nothing like it"))
    await app.settled()
    expect(app.sent[1]?.html).toContain("Zanzibar ledger")
    expect(app.sent[2]?.html).toContain("Nothing found")
    expect(app.sent[2]?.html).toContain("To save a link")
  })

  withApp("lets an edited message change the note it made, and save a link it adds", async (app) => {
    const update = message("https://example.org/?t=One old note")
    await app.webhook(update)
    await app.webhook(message("https://example.org/?t=One another note"))
    await app.settled()
    const { text: _, ...rest } = update.message
    const edited = {
      ...rest,
      edit_date: 2,
      text: "https://example.org/?t=One new note https://example.org/b?t=Two"
    }
    await app.webhook({ update_id: next++, edited_message: edited })
    await app.settled()
    expect(await links(app)).toMatchObject([
      { title: "One", note: "new note\nanother note" },
      { title: "Two", note: "new note" }
    ])
  })

  withApp("adds an answer to one of the bot's messages to that link's note", async (app) => {
    await app.webhook(message("https://example.org/?t=One"))
    await app.settled()
    const reply_to_message = { message_id: 900_001, chat: { id: 4242 }, from: { id: 7, is_bot: true } }
    await app.webhook(message("compare with another", { reply_to_message }))
    await app.settled()
    expect(await links(app)).toMatchObject([{ note: "compare with another" }])
  })

  withApp("turns hashtags into tags that stay beside the model's", async (app) => {
    const entities = [{ type: "hashtag", offset: 0, length: 5 }]
    await app.webhook(message("#Rust https://example.org/?t=One", { entities }))
    await app.settled()
    expect(await links(app)).toMatchObject([{ tags: ["rust", "some-tag"], note: "" }])
  })

  withApp("escapes what a page calls itself", async (app) => {
    await app.webhook(message("https://example.org/?t=%3Cb%3E%26%22"))
    await app.settled()
    expect(app.sent[0]?.html).toContain("&lt;b&gt;&amp;")
    expect(app.sent[0]?.html).not.toContain("<b><b>")
  })

  withApp("keeps a poisonous update from holding up the next", async (app) => {
    await app.webhook(
      `{"update_id":${next++},"message":{"message_id":1,"chat":{"id":4242},"rich_message":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`
    )
    await app.webhook(message("https://example.org/?t=Next"))
    await app.settled()
    expect(await links(app)).toMatchObject([{ title: "Next" }])
  })
})

describeData("telegram-updates.json", "POST /webhook with every kind of message that saves", () => {
  interface Case {
    readonly name: string
    readonly update: unknown
    readonly expect: {
      readonly action: string
      readonly urls?: ReadonlyArray<string>
      readonly note?: string
      readonly tags?: ReadonlyArray<string>
      readonly source?: string
    }
  }
  for (const { name, update, expect: wanted } of json<ReadonlyArray<Case>>("telegram-updates.json"))
    withApp(`${name}: ${wanted.action}`, async (app) => {
      expect((await app.webhook(update)).status).toBe(200)
      await app.settled()
      const saved = await links(app)
      const saves =
        wanted.action === "save" ||
        wanted.action === "update-from-edit" ||
        wanted.action === "ignore-duplicate-update"
      if (!saves) return expect(saved).toEqual([])
      if (wanted.urls !== undefined)
        expect(saved.map(({ url }: { url: string }) => url)).toEqual([...wanted.urls])
      for (const link of saved) {
        const note = [wanted.note ?? link.note, ...(wanted.source === undefined ? [] : [wanted.source])]
          .filter(Boolean)
          .join("\n")
        expect(link.note).toBe(note)
        if (wanted.tags !== undefined) expect(link.tags).toEqual(expect.arrayContaining([...wanted.tags]))
      }
      expect(app.sent.length).toBe(1)
    })
})
