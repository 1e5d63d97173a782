import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Link } from "../../src/domain/Link.ts"
import { accessToken, makeApp } from "../support/app.ts"
import { ownerMessage } from "../support/ownerChat.ts"
import { sampleOf } from "../support/tier.ts"
import { wellFormed } from "../support/wellFormed.ts"

interface Case {
  readonly script: string
  readonly words: string
  /** Search texts that must find the link. */
  readonly sought: ReadonlyArray<string>
  readonly host?: string
}

/** Scripts that programs often get wrong. */
const scripts: ReadonlyArray<Case> = [
  { script: "Han", words: "圖書館的連結目錄", sought: ["圖書館", "連結"], host: "例え.テスト" },
  { script: "kana, whole and half", words: "カタカナの ﾊﾟｿｺﾝ", sought: ["カタカナ", "ﾊﾟｿｺﾝ"] },
  { script: "Thai", words: "ห้องสมุดของลิงก์", sought: ["สมุด"] },
  { script: "Arabic", words: "مكتبة الروابط", sought: ["الروابط", "مكتبة"], host: "مثال.إختبار" },
  { script: "Hebrew with points", words: "סִפְרִיַּת קישורים", sought: ["קישורים"] },
  { script: "Devanagari", words: "कड़ियों का पुस्तकालय", sought: ["पुस्तकालय"], host: "उदाहरण.परीक्षा" },
  { script: "Hangul in syllables", words: "링크 도서관", sought: ["도서관", "도서"] },
  { script: "Hangul in jamo", words: "책장 선반".normalize("NFD"), sought: ["선반".normalize("NFD")] },
  {
    script: "Cyrillic",
    words: "Библиотека Ёжика",
    sought: ["библиотека", "БИБЛИОТЕКА"],
    host: "пример.испытание"
  },
  { script: "Greek", words: "Σίσυφος Βιβλιοθήκης", sought: ["σίσυφος", "βιβλιοθήκης"] },
  { script: "Turkish", words: "İstanbul’un ışığı DİYARBAKIR", sought: ["ışığı", "İstanbul"] },
  {
    script: "German",
    words: "Straße der Maßbücherei",
    sought: ["straße", "Maßbücherei"],
    host: "bücher.example"
  },
  { script: "Vietnamese", words: "Thư viện liên kết", sought: ["viện", "vien"] },
  { script: "combining marks", words: "Cafe\u0301 re\u0301sume\u0301", sought: ["cafe", "cafe\u0301"] },
  { script: "joined emoji", words: "👩‍🚀 🏳️‍🌈 👨‍👩‍👧‍👦 cosmonaut", sought: ["cosmonaut", "👩‍🚀"] },
  { script: "letters beyond the first plane", words: "𐐨𐐩𐐪𐐫 𠮷野家", sought: ["𐐨𐐩𐐪𐐫", "𠮷野"] },
  { script: "signs of markup", words: `<b>"R&D"</b> 'n' ]]> {{x}}`, sought: ["R&D"] }
]
const cases = sampleOf(scripts, 6)

const folder = mkdtempSync(join(tmpdir(), "linkbower-test-"))
const app = makeApp({ DATA_DIR: folder })
const again = makeApp({ DATA_DIR: folder })
afterAll(async () => {
  await Promise.all([app.dispose(), again.dispose()])
  rmSync(folder, { recursive: true, force: true })
})

const asked = async (path: string): Promise<ReadonlyArray<Link>> =>
  (await (await app.owner("GET", `/api/links${path}`)).json()).links

const found = async (text: string, door = "/dashboard") => {
  const path = `/api/links?q=${encodeURIComponent(text)}`
  const answer =
    door === "/dashboard" ? await app.owner("GET", path) : await app.request("GET", `${door}${path}`)
  const { links }: { readonly links: ReadonlyArray<Link> } = await answer.json()
  return links.map(({ url }) => url)
}

const addressOf = ({ host = "example.org", words }: Case, door: string) =>
  `https://${host}/${door}/${words.replaceAll(/[\s<>"'{}]/g, "_")}?t=${encodeURIComponent(words)}#!/${door}`

const unescaped = (markup: string) =>
  markup
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll("&amp;", "&")

for (const [index, one] of cases.entries())
  describe(`a link in ${one.script}`, () => {
    const byChat = addressOf(one, "chat")
    const byCapture = addressOf(one, "capture")
    const note = `${one.words}: ${one.words}`
    const collection = `${one.words} ${index}`

    test("is saved unchanged by chat and capture", async () => {
      const text = `${byChat} ${note}`
      const update = ownerMessage(text, { entities: [{ type: "url", offset: 0, length: byChat.length }] })
      expect((await app.webhook(update)).status).toBe(200)
      await app.settled()
      expect((await app.capture({ url: byCapture, note })).status).toBe(200)
      const links = await asked("?sort=newest&limit=2")
      expect(links.map(({ note: saved, title, url }) => ({ url, title, note: saved }))).toEqual([
        { url: byCapture, title: one.words, note },
        { url: byChat, title: one.words, note }
      ])
    })

    test("is shown in the chat in whole characters", () => {
      const last = unescaped(app.sent.at(-1)?.html ?? "")
      expect(last).toContain(one.words)
      expect(last.isWellFormed()).toBe(true)
    })

    test("keeps the owner's summary and collection", async () => {
      const ids = (await asked("?sort=newest&limit=2")).map(({ id }) => id)
      const changes = [
        { op: "edit", ids: ids.slice(0, 1), summary: one.words },
        { op: "collection", ids, collection },
        { op: "shareable", ids, shareable: true }
      ]
      for (const change of changes) expect((await app.owner("POST", "/api/mutate", change)).status).toBe(200)
      const links = await asked("?sort=newest&limit=2")
      expect(links.map((link) => link.collection?.name)).toEqual([collection, collection])
      expect(links[0]?.summary).toBe(one.words)
    })

    for (const text of one.sought)
      test(`is found by ${text}, in the library and on the public list`, async () => {
        expect(await found(text)).toEqual(expect.arrayContaining([byChat, byCapture]))
        expect(await found(text, "/list")).toEqual(expect.arrayContaining([byChat, byCapture]))
      })

    test("is found by its collection and host", async () => {
      if (!collection.includes('"'))
        expect((await found(`collection:"${collection}"`)).toSorted()).toEqual([byCapture, byChat].toSorted())
      expect(await found(`site:${new URL(byChat).hostname}`)).toContain(byChat)
      expect(await found(`site:${one.host ?? "example.org"}`)).toContain(byChat)
    })

    test("is on the public list, its page and its feed", async () => {
      const query = `collection=${encodeURIComponent(collection)}`
      const { links } = await (await app.request("GET", `/list/api/links?${query}`)).json()
      expect(links.map((link: Link) => [link.url, link.title])).toEqual([
        [byCapture, one.words],
        [byChat, one.words]
      ])
      const page = await (await app.request("GET", `/list?${query}`)).text()
      expect(unescaped(page)).toContain(one.words)
      const feed = await (await app.request("GET", `/list/feed.xml?${query}`)).text()
      expect(wellFormed(feed)).toBe(true)
      expect(unescaped(feed)).toContain(`<title>${one.words}</title>`)
    })
  })

describe("a library in every script", () => {
  const exported = async (format: string) => (await app.owner("GET", `/api/export?format=${format}`)).text()

  test("is exported unchanged in every format", async () => {
    const [json, csv, html] = await Promise.all(["json", "csv", "html"].map(exported))
    for (const one of cases) {
      expect(json).toContain(JSON.stringify(addressOf(one, "chat")))
      expect(json).toContain(JSON.stringify(one.words))
      expect(csv).toContain(one.words.replaceAll('"', '""'))
      expect(unescaped(html ?? "")).toContain(one.words)
    }
  })

  test("is the same after an import of its export", async () => {
    const headers = {
      "content-type": "application/octet-stream",
      "cf-access-jwt-assertion": await accessToken()
    }
    const answer = await again.request(
      "POST",
      "/dashboard/api/import?name=a.json&pages=later",
      await exported("json"),
      headers
    )
    expect(answer.status).toBe(202)
    await again.ended((await answer.json()).job)
    const [here, there] = await Promise.all(
      [app, again].map(async (one) => (await one.owner("GET", "/api/links?limit=1000")).json())
    )
    const bare = ({ links }: { readonly links: ReadonlyArray<Link> }) =>
      links
        .map(({ collection, note, summary, tags, title, url }) => [
          url,
          title,
          note,
          summary,
          tags,
          collection?.name
        ])
        .toSorted()
    expect(bare(there)).toEqual(bare(here))
    expect(bare(there).length).toBe(cases.length * 2)
  })
})
