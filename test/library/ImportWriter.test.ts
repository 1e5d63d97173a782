import { describe, expect } from "bun:test"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Option, type Scope } from "effect"
import { blankPage, LinkId } from "../../src/domain/Link.ts"
import { EditCollections } from "../../src/library/EditCollections.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { MAX_NOTE } from "../../src/shared/Limits.ts"
import { TaskStore } from "../../src/store/jobs/TaskStore.ts"
import { FacetStore } from "../../src/store/links/CollectionStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { HighlightStore } from "../../src/store/pages/HighlightStore.ts"
import { VectorStore } from "../../src/store/vectors/VectorStore.ts"
import { DATA, describeData, json } from "../support/data.ts"
import { libraryTest } from "../support/effect.ts"
import { addressOf, cookies, file, one, save } from "../support/libraryOf.ts"
import { requestOf, saveAll } from "../support/saving.ts"
import { isLong, sampleOf } from "../support/tier.ts"
import { allLinks, exported, takeFile, takeText, withFiles } from "../support/transfer.ts"

const it = libraryTest(withFiles())

const page = (body: string) =>
  `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<DL><p>\n${body}</DL><p>\n`

describe("importing a file", () => {
  it("keeps dates, tags, notes and folders, and queues the pages", function* () {
    const result = yield* takeText(
      "bookmarks.html",
      page(`<DT><H3>Cooking</H3>
<DL><p>
<DT><A HREF="https://example.org/a" ADD_DATE="1500000000" TAGS="Sweet,baking">Cookies</A>
<DD>with butter
</DL><p>
<DT><A HREF="https://example.org/b">Bread</A>
`)
    )
    expect(result).toMatchObject({
      found: 2,
      created: 2,
      merged: 0,
      rejected: 0,
      rejects: [],
      counts: "line"
    })
    const [first, second] = yield* allLinks
    expect(first).toMatchObject({
      title: "Cookies",
      note: "with butter",
      tags: ["sweet", "baking"],
      collection: { name: "Cooking" },
      category: "unsorted",
      shareable: false,
      enrichment: "partial",
      createdAt: "2017-07-14T02:40:00.000Z"
    })
    expect(second).toMatchObject({ title: "Bread", collection: null })
    expect(yield* (yield* TaskStore).waiting("read")).toBe(2)
    // Their titles and notes can be embedded before their pages are read.
    expect(yield* (yield* VectorStore).waitingCount).toBe(2)
  })

  it("says what it did not keep as in the file, also of links that were there", function* () {
    const long = "n".repeat(MAX_NOTE - 2)
    yield* takeText("a.csv", `url,note\nhttps://example.org/known,${long}`)
    const { warnings } = yield* takeText(
      "b.csv",
      `url,note,tags,created
https://example.org/long,${"n".repeat(300_000)},"🚀,🇯🇵,ok",2023-12-31
https://example.org/known,more,!!,soon`
    )
    expect(warnings).toEqual([
      { kind: "date_not_understood", count: 1, examples: ["soon"] },
      {
        kind: "note_shortened",
        count: 2,
        examples: ["https://example.org/long", "https://example.org/known"]
      },
      { kind: "tag_dropped", count: 1, examples: ["!!"] }
    ])
    const links = yield* allLinks
    expect(links.map(({ note }) => note.length)).toEqual([MAX_NOTE, MAX_NOTE])
    expect(links.map(({ tags }) => tags)).toContainEqual(["🚀", "🇯🇵", "ok"])
  })

  it("reports invalid links by line, and keeps the others", function* () {
    const result = yield* takeText(
      "bookmarks.html",
      page(`<DT><A HREF="javascript:void(0)">A bookmarklet</A>
<DT><A HREF="https://example.org/a">Cookies</A>
<DT><A HREF="ftp://example.org/b">A file</A>
`)
    )
    expect(result).toMatchObject({ found: 3, created: 1, rejected: 2 })
    expect(result.rejects.map(({ place }) => place)).toEqual([4, 6])
    expect((yield* allLinks).map(({ title }) => title)).toEqual(["Cookies"])
  })

  it("counts repeated links, and merges them", function* () {
    const result = yield* takeText(
      "list.csv",
      "url,note\nhttps://example.org/a,one\nhttps://example.org/a#x,two\n"
    )
    expect(result).toMatchObject({ found: 2, created: 1, merged: 1 })
    expect((yield* allLinks).map(({ note }) => note)).toEqual(["one\ntwo"])
  })

  it("merges other forms of an address, in the file and in the library, but not a copy of the page", function* () {
    yield* saveAll([requestOf("https://youtu.be/dQw4w9WgXcQ")])
    const result = yield* takeText(
      "list.csv",
      [
        "url,note",
        "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1,one",
        "https://stackoverflow.com/q/11227809,two",
        "https://stackoverflow.com/questions/11227809/why-is-it-faster,three",
        "https://web.archive.org/web/2020/https://stackoverflow.com/q/11227809,four",
        ""
      ].join("\n")
    )
    expect(result).toMatchObject({ found: 4, created: 2, merged: 2 })
    expect((yield* allLinks).map(({ note, url }) => [url, note])).toEqual([
      ["https://youtu.be/dQw4w9WgXcQ", "one"],
      ["https://stackoverflow.com/q/11227809", "two\nthree"],
      ["https://web.archive.org/web/2020/https://stackoverflow.com/q/11227809", "four"]
    ])
  })

  it("keeps two forms of an address apart that another Linkbower had as two links", function* () {
    const [long, short] = ["https://www.youtube.com/watch?v=dQw4w9WgXcQ", "https://youtu.be/dQw4w9WgXcQ"]
    const links = yield* LinkStore
    for (const url of [long, short])
      yield* links.upsert({ url, normalizedUrl: url, host: new URL(url).host, note: "", tags: [] })
    const file = yield* exported("json")
    expect(yield* takeText("again.json", file)).toMatchObject({ created: 0, merged: 2 })
    yield* links.remove((yield* allLinks).map(({ id }) => id))
    expect(yield* takeText("links.json", file)).toMatchObject({ created: 2, merged: 0 })
    expect((yield* allLinks).map(({ url }) => url).toSorted()).toEqual([long, short])
  })

  it("changes nothing the second time", function* () {
    const text = page(
      `<DT><H3>F</H3><DL><p><DT><A HREF="https://example.org/a" TAGS="x">A</A><DD>n\n</DL><p>`
    )
    yield* takeText("a.html", text)
    const before = yield* allLinks
    expect(yield* takeText("a.html", text)).toMatchObject({ created: 0, merged: 1 })
    expect(yield* allLinks).toEqual(before)
  })

  it("brings links back from the trash, with what the file adds and without what it lacks", function* () {
    const edits = yield* EditLinks
    const body = `<DT><A HREF="https://example.org/a" TAGS="sweet">Cookies</A>\n<DD>with butter\n`
    yield* takeText("bookmarks.html", page(body))
    const [before] = yield* allLinks
    const id = before?.id ?? LinkId.make(0)
    yield* edits.change([id], { note: "mine", state: "archived" })
    yield* edits.trash([id])
    const result = yield* takeText("bookmarks.html", page(body.replace("sweet", "baking")))
    expect(result).toMatchObject({ found: 1, created: 0, merged: 1 })
    expect(yield* allLinks).toMatchObject([
      { id, title: "Cookies", note: "mine\nwith butter", tags: ["sweet", "baking"], state: "archived" }
    ])
    // Its page was never read, and still waits for that.
    expect(yield* (yield* LinkStore).hasDue).toBe(true)
  })

  it("takes the state that a file says, and read where it says none", function* () {
    yield* takeText(
      "pocket.csv",
      "title,url,time_added,tags,status\n" +
        "A,https://example.org/a,0,,unread\nB,https://example.org/b,0,,archive\n"
    )
    yield* takeText("bookmarks.html", page(`<DT><A HREF="https://example.org/c">C</A>`))
    expect((yield* allLinks).map(({ state, title }) => [title, state])).toEqual([
      ["A", "unread"],
      ["B", "archived"],
      ["C", "read"]
    ])
    expect((yield* (yield* FacetStore).facets).states).toEqual({ unread: 1, read: 1, archived: 1 })
  })

  it("keeps the owner's edits of an existing link", function* () {
    const [saved] = yield* save([one(cookies)])
    const id = saved?.link.id ?? LinkId.make(1)
    yield* file([id], "Mine")
    yield* (yield* EditLinks).change([id], { title: "Renamed" })
    const address = addressOf(one(cookies))
    yield* takeText(
      "a.html",
      page(`<DT><H3>F</H3><DL><p><DT><A HREF="${address}">Theirs</A><DD>seen\n</DL><p>`)
    )
    const [link, ...more] = yield* allLinks
    expect(more).toEqual([])
    expect(link).toMatchObject({ title: "Renamed", note: "seen", collection: { name: "Mine" } })
    // A collection is created only with a link in it.
    const sql = yield* SqlClient.SqlClient
    expect(yield* sql`SELECT name FROM collections`).toEqual([{ name: "Mine" }])
    // A complete link is not read again.
    expect(yield* (yield* TaskStore).waiting("read")).toBe(0)
  })

  it("rejects a broken file with a sentence, and changes nothing", function* () {
    const errors = yield* Effect.forEach(
      [
        ["a.json", '[{"href":"https://example.org/a"},'],
        ["a.bin", "\u0001\u0002\u0003"],
        ["a.txt", ""],
        ["a.json", '{"format":"linkbower","version":1,"exportedAt":"x","collections":[],"links":[\n{"id":1'],
        ["a.json", '{"format":"linkbower","version":99,"exportedAt":"x","collections":[],"links":[\n]}\n']
      ] as const,
      ([name, text]) => Effect.flip(takeText(name, text))
    )
    for (const { message } of errors) expect(message).toMatch(/^[A-Z].*\.$/)
    expect(errors.at(-1)?.message).toContain("newer Linkbower")
    expect(yield* allLinks).toEqual([])
  })

  it("puts off reading the pages on request", function* () {
    yield* takeText("a.txt", "https://example.org/a\nhttps://example.org/b\n", { later: true })
    const tasks = yield* TaskStore
    expect(yield* tasks.waiting("read")).toBe(0)
    yield* tasks.hold("read", false)
    expect(yield* tasks.waiting("read")).toBe(2)
  })

  it("keeps more tags than a save gives, also after the page was read", function* () {
    const tags = Array.from({ length: 20 }, (_, n) => `tag-${n}`)
    yield* takeText(
      "a.html",
      page(`<DT><A HREF="${addressOf(one(cookies))}" TAGS="${tags.join(",")}">Cookies</A>`)
    )
    yield* save([one(cookies)])
    const [link] = yield* allLinks
    expect(link?.tags).toEqual(tags)
  })
})

interface Entry {
  readonly file: string
  readonly format: string
}

describeData("bookmarks", "importing each real file of other programs", () => {
  const entries = json<ReadonlyArray<Entry>>("bookmarks/index.json")
  // A file of a thousand links is large for every day.
  const small = entries.filter(
    ({ file, format }) => format !== "expected-parse" && (isLong || !file.includes("big"))
  )
  for (const { file } of sampleOf(small, 12))
    it(`loses no link of ${file}`, function* () {
      const taken = yield* Effect.either(takeFile(join(DATA, "bookmarks", file)))
      const links = yield* allLinks
      if (taken._tag === "Left") {
        expect(taken.left.message).toMatch(/^[A-Z].*\.$/)
        return expect(links).toEqual([])
      }
      const { created, found, merged, rejected, rejects } = taken.right
      expect(created + merged + rejected).toBe(found)
      expect(links.length).toBe(created)
      expect(rejects.length).toBe(rejected)
      const again = yield* takeFile(join(DATA, "bookmarks", file))
      expect(again).toMatchObject({ created: 0, found, rejected })
      expect(yield* allLinks).toEqual(links)
    })
})

describe("an imported link", () => {
  it("keeps the file's data if its page cannot be read", function* () {
    yield* takeText(
      "a.html",
      page(`<DT><A HREF="https://example.org/gone">What it was called</A><DD>my note\n`)
    )
    const [link] = yield* allLinks
    const store = yield* LinkStore
    const finished = yield* store.finish(link?.id ?? LinkId.make(1), {
      page: { ...blankPage("https://example.org/gone"), title: "example.org" },
      repository: null,
      summary: { summary: "", tags: [], category: null },
      fellBack: ["page", "model"],
      mayPass: false,
      failures: [],
      waitsFor: []
    })
    expect(Option.getOrThrow(finished)).toMatchObject({ title: "What it was called", note: "my note" })
  })
})

describe("importing our own export", () => {
  /** Three links, two of them shared, and two collections, one of them empty. */
  const exportedLibrary = Effect.gen(function* () {
    const edits = yield* EditLinks
    yield* save(cookies.slice(0, 3))
    const ids = (yield* allLinks).map(({ id }) => id)
    const [first] = ids
    if (first === undefined) throw new Error("no links")
    yield* file([first], "Left behind")
    yield* file([first], "Baking")
    yield* edits.change(ids.slice(0, 2), { shareable: true })
    return { ids, json: yield* exported("json") }
  })
  const shared = Effect.map(allLinks, (links) => links.filter(({ shareable }) => shareable).length)
  const names = Effect.gen(function* () {
    return (yield* (yield* FacetStore).facets).collections.map(({ count, name }) => `${name} ${count}`)
  })
  const elsewhere = <A>(
    work: Effect.Effect<A, unknown, Layer.Layer.Success<ReturnType<typeof withFiles>> | Scope.Scope>
  ) => Effect.scoped(Effect.provide(work, Layer.fresh(withFiles())))

  it("publishes nothing by default, by whatever way, and counts what is public", function* () {
    const sql = yield* SqlClient.SqlClient
    const edits = yield* EditLinks
    const collections = yield* EditCollections
    const visible = Effect.all([
      sql`SELECT * FROM public_links ORDER BY id`,
      sql`SELECT * FROM public_collections ORDER BY id`
    ])
    const { json } = yield* exportedLibrary
    const [a = LinkId.make(0), b = a, c = a] = yield* Effect.map(allLinks, (all) => all.map(({ id }) => id))
    // In the file's collection, shared itself, and private; of the last two, one is in the trash.
    const open = (yield* collections.list).collections.find(({ name }) => name === "Baking")
    yield* file([b], "Baking")
    yield* collections.edit(open?.id ?? 0, { shareable: true, name: "Open" })
    yield* edits.change([c], { shareable: true })
    yield* edits.trash([a, c])
    const before = yield* visible
    expect(before.map(({ length }) => length)).toEqual([1, 1])
    const own = yield* takeText("export.json", json.replace('"description":""', '"description":"Mine"'))
    expect(yield* visible).toEqual(before)
    expect(own).toMatchObject({ created: 0, shared: 1 })
    expect(own.warnings).toContainEqual({ kind: "not_shared", count: 1, examples: [expect.any(String)] })
    const link = (url: string, tags = "") =>
      `<DT><A HREF="${url}" TAGS="${tags}" ADD_DATE="1000000000">T</A>\n`
    const urls = (yield* allLinks).map(({ url }) => url)
    const folders = ["Open", "open", "Baking", "Open/Secret plan"].map((folder, at) => {
      const inside = folder.split("/").map((name) => `<DT><H3>${name}</H3><DL><p>`)
      const all = [...urls.map((url) => link(url, "loud")), link(`https://example.org/new${at}`)]
      return `${inside.join("")}${all.join("")}${inside.map(() => "</DL><p>").join("")}`
    })
    for (const [at, folder] of folders.entries()) {
      const taken = yield* takeText(`${at}.html`, page(folder))
      expect(taken).toMatchObject({ created: 1, shared: 1 })
      expect(taken.warnings).toContainEqual(expect.objectContaining({ kind: "folder_shared", count: 3 }))
      expect(taken.warnings).toContainEqual(expect.objectContaining({ kind: "tags_not_shared", count: 1 }))
      expect(yield* visible).toEqual(before)
    }
    expect(
      (yield* allLinks).map(({ tags }) => tags).filter((tags) => tags.includes("secret-plan"))
    ).toHaveLength(3)
    // A link that has a collection stays in it, and gets no tag for it.
    expect((yield* allLinks).find(({ id }) => id === b)).toMatchObject({
      collection: { name: "Open" },
      tags: []
    })
    // Asked to share, it does.
    expect(yield* takeText("0.html", page(folders[0] ?? ""), { keepShared: true })).toMatchObject({
      shared: 4
    })
  })

  it("shares the marked links on request alone, existing ones too, and unshares none", function* () {
    const { json } = yield* exportedLibrary
    yield* elsewhere(
      Effect.gen(function* () {
        const edits = yield* EditLinks
        const first = yield* takeText("export.json", json)
        expect(first).toMatchObject({ created: 3, shared: 0, warnings: [{ kind: "not_shared", count: 2 }] })
        const last = (yield* allLinks).at(-1)
        if (last === undefined) throw new Error("no links")
        yield* edits.change([last.id], { shareable: true })
        yield* takeText("export.json", json)
        expect(yield* shared).toBe(1)
        expect(yield* takeText("export.json", json, { keepShared: true })).toMatchObject({
          created: 0,
          shared: 3
        })
        expect(yield* shared).toBe(3)
      })
    )
  })

  it("keeps its numbers in a new library, but none so large that no link could follow", function* () {
    const { json } = yield* exportedLibrary
    for (const number of [Number.MAX_SAFE_INTEGER, 2 ** 31]) {
      const ids = yield* elsewhere(
        Effect.gen(function* () {
          yield* takeText("export.json", json.replace('{"id":2,"url"', `{"id":${number},"url"`))
          yield* save(cookies.slice(3, 4))
          return (yield* allLinks).map(({ id }) => Number(id)).toSorted((a, b) => a - b)
        })
      )
      expect(ids).toEqual([1, 2, 3, 4])
    }
  })

  it("adds its empty collections, also to a library in use, and no others", function* () {
    const { json } = yield* exportedLibrary
    yield* elsewhere(
      Effect.gen(function* () {
        yield* takeText("export.json", json)
        expect(yield* names).toEqual(["Baking 1", "Left behind 0"])
      })
    )
    yield* elsewhere(
      Effect.gen(function* () {
        yield* save(cookies.slice(0, 1))
        yield* file([LinkId.make(1)], "Mine")
        yield* takeText("export.json", json)
        // The exported link in Baking stays in Mine here.
        expect(yield* names).toEqual(["Left behind 0", "Mine 1"])
      })
    )
  })
})

describe("highlights in a file", () => {
  const table = (quote: string) =>
    `Highlight,Title,Author,URL,Note,Location,Date\n"${quote}",A page,Ann,https://example.org/a,why,3,2023-05-06 07:08:09\n`
  const ofOnlyLink = Effect.gen(function* () {
    const [link] = yield* allLinks
    return link === undefined ? [] : yield* (yield* HighlightStore).ofLink(LinkId.make(link.id))
  })

  it("are added to their links, new and known, once", function* () {
    yield* takeText("readwise.csv", table("A passage"))
    yield* takeText("readwise.csv", table("A passage"))
    yield* takeText("readwise.csv", table("Another"))
    expect((yield* allLinks).length).toBe(1)
    const all = yield* ofOnlyLink
    expect(all.map(({ createdAt, note, quote, source }) => [quote, note, source, createdAt])).toEqual([
      ["A passage", "why", "import", "2023-05-06T07:08:09.000Z"],
      ["Another", "why", "import", "2023-05-06T07:08:09.000Z"]
    ])
  })

  it("of a known link go when the import is undone", function* () {
    yield* takeText("readwise.csv", table("A passage"))
    const undo = crypto.randomUUID()
    yield* takeText("readwise.csv", table("Another"), { undo })
    yield* (yield* EditLinks).undo(undo)
    expect((yield* ofOnlyLink).map(({ quote }) => quote)).toEqual(["A passage"])
  })
})
