import { describe, expect, test } from "bun:test"
import { MAX_PAGE_TEXT } from "../../../../src/shared/Limits.ts"
import { pdfOf } from "./support/pdf.ts"
import { xmpOf } from "./support/pictures.ts"
import { readingOf } from "./support/reading.ts"

describe("a PDF", () => {
  const lines = Array.from({ length: 30 }, (_, n) => `Sentence number ${n} goes on in this line of words.`)

  test("gives its title, author, date, language, pages and text", async () => {
    const { content, metadata } = await readingOf(
      pdfOf({
        info: {
          Title: "Über (all) things",
          Author: "Ann Bee",
          Subject: "On things",
          CreationDate: "D:20240102030405+01'00'"
        },
        language: "en-gb",
        pages: [lines, ["The second page"]]
      }),
      { contentType: "text/html" }
    )
    expect(metadata).toMatchObject({
      title: "Über (all) things",
      author: "Ann Bee",
      description: "On things",
      publishedAt: "2024-01-02T02:04:05.000Z",
      language: "en-GB",
      type: "pdf",
      facts: { pages: 2 }
    })
    expect(content.text).toStartWith("Sentence number 0 goes on in this line of words. Sentence number 1")
    expect(content.text).toEndWith("\nThe second page")
    expect(content.article).toContain("<p>The second page</p>")
  })

  test("prefers XMP and joins its authors", async () => {
    const { metadata } = await readingOf(
      pdfOf({
        info: { Title: "draft.doc", Author: "user" },
        xmp: xmpOf({
          title: "Things &amp; more",
          creators: ["Ann Bee", "Cy Dee"],
          description: "What it is"
        }),
        pages: [["words"]]
      })
    )
    expect(metadata).toMatchObject({
      title: "Things & more",
      author: "Ann Bee, Cy Dee",
      description: "What it is"
    })
  })

  for (const title of ["Microsoft Word - paper3.docx", "main.tex", "untitled", "", "  ", "12345"])
    test(`has its largest line as title if it says ${JSON.stringify(title)}`, async () => {
      const { metadata } = await readingOf(
        pdfOf({
          info: { Title: title },
          pages: [
            [
              "Journal of Things, volume 3",
              ["A Study of the Largest", 20],
              ["Line on a Page", 20],
              ["Ann Bee", 13],
              ...lines
            ]
          ]
        })
      )
      expect(metadata.title).toBe("A Study of the Largest Line on a Page")
    })

  test("has the name of its file as title if nothing on it is larger", async () => {
    const plain = pdfOf({ pages: [lines] })
    expect(
      (await readingOf(plain, { url: "https://example.org/a%20b/r%C3%A9sum%C3%A9.pdf" })).metadata.title
    ).toBe("résumé.pdf")
    expect((await readingOf(plain, { url: "https://example.org/show?id=3" })).metadata.title).toBeNull()
  })

  test("without a stated subject or language has those of its text", async () => {
    const sentences =
      "The committee has published its report about the state of the rivers in the north. It says that the water is cleaner than ten years ago, but that the fish have not come back yet. "
    const { content, metadata } = await readingOf(pdfOf({ pages: [sentences.match(/.{1,60} /g) ?? []] }))
    expect([metadata.description, metadata.language]).toEqual(["", null])
    expect(content).toMatchObject({
      description: "The committee has published its report about the state of the rivers in the north.",
      language: "en"
    })
  })

  test("joins a word that is divided at the end of a line", async () => {
    const { content } = await readingOf(
      pdfOf({ pages: [["It is a long deve-", "lopment of a well-", "Known kind"]] })
    )
    expect(content.text).toBe("It is a long development of a well- Known kind")
  })

  test("gives the text of its first 30 pages, within the limit", async () => {
    const { content, metadata } = await readingOf(
      pdfOf({ pages: Array.from({ length: 35 }, (_, n) => [`Page ${n + 1}.`]) })
    )
    expect(metadata.facts).toEqual({ pages: 35 })
    expect(content.text.split("\n").at(-1)).toBe("Page 30.")
    const long = await readingOf(
      pdfOf({ pages: Array.from({ length: 30 }, () => Array.from({ length: 55 }, () => "word ".repeat(25))) })
    )
    expect(long.content.text.length).toBeGreaterThan(MAX_PAGE_TEXT - 10)
    expect(long.content.text.length).toBeLessThanOrEqual(MAX_PAGE_TEXT)
  })

  for (const [date, published] of [
    ["D:20240102", "2024-01-02"],
    ["D:20240102030405", "2024-01-02"],
    ["20240102030405Z", "2024-01-02T03:04:05.000Z"],
    ["D:20240102030405-08'00", "2024-01-02T11:04:05.000Z"],
    ["D:2024", "2024-01-01"],
    ["D:20241399", null],
    ["yesterday", null]
  ] as const)
    test(`dated ${date} is of ${published}`, async () => {
      expect(
        (await readingOf(pdfOf({ info: { CreationDate: date }, pages: [["x"]] }))).metadata.publishedAt
      ).toBe(published)
    })
})

describe("plain text", () => {
  test("has its first line as title if it stands alone", async () => {
    const text = `A Title of Its Own\n==================\n\nA first paragraph that was broken by a program to fit\na width of fifty or sixty columns.\n\n  - an item\n  - another\n`
    const { content, metadata } = await readingOf(text, {
      contentType: "text/plain",
      url: "https://example.org/notes.txt"
    })
    expect(metadata).toMatchObject({ title: "A Title of Its Own", type: null })
    expect(content.text).toBe(
      "A Title of Its Own\n==================\nA first paragraph that was broken by a program to fit a width of fifty or sixty columns.\n- an item\n- another"
    )
    expect(content.article).toBe(`<pre>${text.trimEnd()}</pre>`)
  })

  test("has its name as title if its first line does not stand alone, or it is no prose", async () => {
    const sent = (url: string, text: string) => readingOf(text, { contentType: "text/plain", url })
    expect((await sent("https://example.org/log.txt", "one line\nand another")).metadata.title).toBe(
      "log.txt"
    )
    expect(
      (await sent("https://example.org/raw/main.py", "import this\n\nprint(1 < 2)")).metadata.title
    ).toBe("main.py")
  })

  test("is escaped in its article and decoded by its declared charset", async () => {
    const { content } = await readingOf(Buffer.from("<script>alert(1)</script> & \xe9", "latin1"), {
      contentType: "text/plain; charset=iso-8859-1",
      url: "https://example.org/x.txt"
    })
    expect(content.article).toBe("<pre>&lt;script&gt;alert(1)&lt;/script&gt; &amp; é</pre>")
  })

  test("is read as HTML only if it plainly is HTML", async () => {
    const sent = { contentType: "text/plain" }
    expect((await readingOf("<!doctype html><title>Page</title>", sent)).metadata.title).toBe("Page")
    expect((await readingOf("<b>about</b> <title>no page</title>", sent)).content.text).toContain("<title>")
    const stream = { contentType: "application/octet-stream" }
    expect((await readingOf("\n<!-- x --><html><title>Page</title>", stream)).metadata.title).toBe("Page")
  })
})

describe("Markdown", () => {
  const sent = { contentType: "text/plain", url: "https://example.org/raw/README.md" }

  test("has its first heading as title and keeps its structure", async () => {
    const { content, metadata } = await readingOf(
      "Intro\n\n# The *whole* `title`\n\n- one\n- two\n\n```js\na < b\n```\n",
      sent
    )
    expect(metadata).toMatchObject({ title: "The whole title", type: "article" })
    expect(content.text).toBe("Intro\nThe whole title\none\ntwo\na < b")
    expect(content.article).toContain("<li>one</li>")
    expect(content.article).toContain("a &lt; b")
  })

  test("reads front matter in YAML and TOML", async () => {
    const yaml = `---\ntitle: "A: post"\nauthor: [Ann Bee, 'Cy Dee']\ndate: 2024-03-04 10:00:00 +0100\ndescription: About it\nlang: de\ntags:\n  - x\n---\n# Other heading\nText`
    expect((await readingOf(yaml, sent)).metadata).toMatchObject({
      title: "A: post",
      author: "Ann Bee, Cy Dee",
      publishedAt: "2024-03-04T09:00:00.000Z",
      description: "About it",
      language: "de"
    })
    const toml = await readingOf('+++\ntitle = "In TOML"\ndate = 2024-03-04T10:00:00Z\n+++\nText', sent)
    expect(toml.metadata).toMatchObject({ title: "In TOML", publishedAt: "2024-03-04T10:00:00.000Z" })
    expect(toml.content.text).toBe("Text")
  })

  test("without an end of its front matter, or without a heading, has its name as title", async () => {
    expect((await readingOf("---\ntitle: x\n\nNo end", sent)).metadata.title).toBe("README.md")
  })
})

describe("JSON", () => {
  test("gives what its top level states", async () => {
    const sent = { contentType: "application/json" }
    const manifest = await readingOf(
      '{"name":"tool","version":"1.2.3","description":"Does it","author":{"name":"Ann"}}',
      sent
    )
    expect(manifest.metadata).toMatchObject({
      title: "tool",
      description: "Does it",
      author: "Ann",
      facts: { version: "1.2.3" }
    })
    const api = await readingOf(
      '{"openapi":"3.1.0","info":{"title":"An API","description":"Of things"}}',
      sent
    )
    expect(api.metadata).toMatchObject({ title: "An API", description: "Of things" })
    expect(api.content.text).toContain('"An API"')
  })

  test("is recognized whatever its server calls it, if it is whole", async () => {
    expect((await readingOf('{"title":"T"}', { contentType: "text/html" })).metadata.title).toBe("T")
    expect((await readingOf("[draft] a page", { contentType: "text/html" })).content.text).toBe(
      "[draft] a page"
    )
    const cut = await readingOf('{"title":"T","a":"', {
      contentType: "application/json",
      url: "https://example.org/d.json"
    })
    expect(cut.metadata.title).toBe("d.json")
    expect(cut.content.text).toBe('{"title":"T","a":"')
  })
})

describe("a feed", () => {
  const rss = `<?xml version="1.0"?><?xml-stylesheet href="x"?><!-- made by hand -->
    <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
    <image><title>Not this</title><url>/logo.png</url></image>
    <title><![CDATA[News & <i>views</i>]]></title><link>https://example.org/</link>
    <description>All &lt;b&gt;about&lt;/b&gt; it</description><language>en-us</language><itunes:author>Ann Bee</itunes:author>
    <item><title>Older</title><link>/1</link><description>Not this</description><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate></item>
    <item><title>Newer &amp;amp; better</title><link>/2</link><pubDate>Tue, 02 Jan 2024 00:00:00 GMT</pubDate></item>
    <item><link>/3</link><pubDate>Wed, 03 Jan 2024 00:00:00 GMT</pubDate></item></channel></rss>`

  for (const contentType of ["application/rss+xml", "text/html", "text/plain", null])
    test(`in RSS sent as ${contentType} gives its title, description and newest entries`, async () => {
      const { content, metadata } = await readingOf(rss, { contentType })
      expect(metadata).toMatchObject({
        title: "News & views",
        description: "All about it",
        author: "Ann Bee",
        language: "en-US",
        image: "https://example.org/logo.png"
      })
      expect(content.text).toBe("All about it\nNewer & better\nOlder")
      expect(content.article).toContain('<li><a href="https://example.org/2">Newer &amp; better</a></li>')
    })

  test("in Atom", async () => {
    const { content, metadata } = await readingOf(
      `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="fr"><title type="html">Un &lt;em&gt;titre&lt;/em&gt;</title><subtitle>De tout</subtitle>
      <author><name>Ann</name></author><entry><title>Premier</title><author><name>Other</name></author><link rel="edit" href="/edit"/><link href="/p"/><updated>2024-01-01T00:00:00Z</updated></entry></feed>`
    )
    expect(metadata).toMatchObject({
      title: "Un titre",
      description: "De tout",
      author: "Ann",
      language: "fr"
    })
    expect(content.article).toContain("https://example.org/p")
    expect(content.text).toBe("De tout\nPremier")
  })

  test("in RSS 1.0, whose items stand beside the channel", async () => {
    const { content, metadata } = await readingOf(
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><channel><title>Old news</title><dc:language>de</dc:language></channel><item><title>One</title></item><item><title>Two</title></item></rdf:RDF>`
    )
    expect(metadata).toMatchObject({ title: "Old news", language: "de" })
    expect(content.text).toBe("One\nTwo")
  })

  test("in JSON", async () => {
    const { content, metadata } = await readingOf(
      JSON.stringify({
        version: "https://jsonfeed.org/version/1.1",
        title: "A feed",
        description: "Of things",
        language: "en",
        authors: [{ name: "Ann" }, { name: "Cy" }],
        items: [{ title: "First", url: "javascript:alert(1)" }, { content_text: "No title" }]
      }),
      { contentType: "application/feed+json" }
    )
    expect(metadata).toMatchObject({
      title: "A feed",
      description: "Of things",
      author: "Ann, Cy",
      language: "en"
    })
    expect(content.text).toBe("Of things\nFirst\nNo title")
    expect(content.article).not.toContain("javascript")
  })

  test("expands no declared entities", async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, n) => `<!ENTITY a${n} "${n === 0 ? "&a;" : `&a${n - 1};`.repeat(10)}">`).join("")}]><rss><channel><title>&a19;x</title></channel></rss>`
    const { content, metadata } = await readingOf(bomb, { contentType: "application/rss+xml" })
    expect(metadata.title?.length).toBeLessThan(20)
    expect(content.text.length).toBeLessThan(100)
  })
})
