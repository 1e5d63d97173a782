import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { library } from "../../src/Application.ts"
import type { LinkId } from "../../src/domain/Link.ts"
import { parseQuery } from "../../src/domain/LinkQuery.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { EditNames } from "../../src/library/EditNames.ts"
import { FacetStore } from "../../src/store/links/CollectionStore.ts"
import { LinkList } from "../../src/store/links/LinkList.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { libraryTest } from "../support/effect.ts"
import { fakeEnricher } from "../support/fakeEnricher.ts"
import { stores } from "../support/library.ts"
import { add, addAll, save } from "../support/libraryOf.ts"
import { found } from "../support/links.ts"

/** A model that always answers the same. */
const enricher = fakeEnricher(({ url }) =>
  Effect.succeed(found({ url: url.href }, { summary: { summary: "", tags: ["js"], category: "dev" } }))
)
const it = libraryTest(Layer.provideMerge(library, Layer.merge(stores(), enricher)))

const titles = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ title: `Page ${i}`, description: "" }))

const page = (title: string) => ({ title, description: "" })

const tagsOf = Effect.fnUntraced(function* (id: LinkId) {
  return (yield* (yield* LinkStore).get(id)).tags
})

const tag = Effect.fnUntraced(function* (id: LinkId, tags: ReadonlyArray<string>) {
  return yield* (yield* EditLinks).change([id], { tagging: { set: tags } })
})

const tagCounts = Effect.gen(function* () {
  const { facets } = yield* FacetStore
  return Object.fromEntries((yield* facets).tags.map(({ count, name }) => [name, count]))
})

const count = Effect.fnUntraced(function* (text: string) {
  return yield* (yield* LinkList).count({ ...parseQuery(text, 0), sort: "newest" })
})

const aliases = Effect.gen(function* () {
  const { aliases: all } = yield* (yield* EditNames).list("tag")
  return Object.fromEntries(all.map(({ name, target }) => [name, target]))
})

describe("a tag", () => {
  it("is renamed in its place on every link, and the undo takes back the links and the other name", function* () {
    const names = yield* EditNames
    const edits = yield* EditLinks
    const ids = yield* addAll(titles(110), { tags: ["first", "js", "last"] })
    const [one] = ids
    if (one === undefined) return
    const { changed, thing, undo } = yield* names.edit("tag", "JS", { name: "JavaScript" })
    expect({ changed, thing }).toMatchObject({
      changed: 110,
      thing: { name: "javascript", count: 110, aliases: ["js"], lastUsed: expect.any(String) }
    })
    expect(yield* tagsOf(one)).toEqual(["first", "javascript", "last"])
    // A search by the old name, which may be saved or linked to, finds the same.
    expect([yield* count("tag:js"), yield* count("tag:javascript"), yield* count("-tag:js")]).toEqual([
      110, 110, 0
    ])
    const again = yield* edits.undo(undo)
    expect([yield* tagsOf(one), yield* aliases]).toEqual([["first", "js", "last"], {}])
    yield* edits.undo(again.undo)
    expect([yield* tagsOf(one), yield* aliases]).toEqual([
      ["first", "javascript", "last"],
      { js: "javascript" }
    ])
  })

  it("is merged by a rename to a name in use, and links keep the tag once", function* () {
    const names = yield* EditNames
    const edits = yield* EditLinks
    const both = yield* add(page("Both"), { tags: ["vue", "x", "vuejs"] })
    const other = yield* add(page("Other"), { tags: ["vuejs"] })
    const { undo } = yield* names.edit("tag", "vuejs", { into: "vue" })
    expect([yield* tagsOf(both), yield* tagsOf(other), yield* tagCounts]).toEqual([
      ["vue", "x"],
      ["vue"],
      { vue: 2, x: 1 }
    ])
    yield* edits.undo(undo)
    expect([yield* tagsOf(both), yield* tagsOf(other)]).toEqual([["vue", "x", "vuejs"], ["vuejs"]])
  })

  it("leaves its links when it is deleted", function* () {
    const names = yield* EditNames
    const edits = yield* EditLinks
    const id = yield* add(page("One"), { tags: ["a", "b"] })
    yield* names.edit("tag", "a", { name: "c" })
    const { changed, undo } = yield* names.remove("tag", "c")
    expect([changed, yield* tagsOf(id), yield* aliases]).toEqual([1, ["b"], {}])
    yield* edits.undo(undo)
    expect([yield* tagsOf(id), yield* aliases]).toEqual([["c", "b"], { a: "c" }])
  })

  it("has other names that end at the newest name, and none is its own", function* () {
    const names = yield* EditNames
    yield* add(page("One"), { tags: ["a"] })
    yield* names.edit("tag", "a", { name: "b" })
    yield* names.edit("tag", "b", { name: "c" })
    expect(yield* aliases).toEqual({ a: "c", b: "c" })
    yield* names.edit("tag", "c", { name: "a" })
    expect(yield* aliases).toEqual({ b: "a", c: "a" })
    expect((yield* names.get("tag", "c")).name).toBe("a")
    yield* names.remove("tag", "c")
    expect(yield* aliases).toEqual({ b: "a" })
  })

  it("is named by its other name by hand, by the model and at a save", function* () {
    const names = yield* EditNames
    const edits = yield* EditLinks
    const id = yield* add(page("One"), { tags: ["js", "python"] })
    yield* names.edit("tag", "js", { name: "javascript" })
    yield* tag(id, ["js", "css", "javascript"])
    expect(yield* tagsOf(id)).toEqual(["javascript", "css"])
    yield* edits.change([id], { tagging: { remove: ["js"] } })
    expect(yield* tagsOf(id)).toEqual(["css"])
    const [claimed] = yield* save([page("Two")])
    expect(claimed?.link.tags).toEqual(["javascript"])
  })

  it("cannot be renamed to nothing, to itself or if no link has it", function* () {
    const names = yield* EditNames
    yield* add(page("One"), { tags: ["a"] })
    const refused = [
      names.edit("tag", "a", { name: "…" }),
      names.edit("tag", "a", { name: "A" }),
      names.edit("tag", "b", { name: "c" }),
      names.edit("tag", "a", { into: "c" }),
      names.remove("tag", "b")
    ]
    const messages = yield* Effect.forEach(refused, (one) => Effect.map(Effect.flip(one), String))
    expect(messages).toEqual([
      expect.stringContaining("must contain a letter or a digit"),
      expect.stringContaining("This is its name already"),
      expect.stringContaining("There is no tag “b”"),
      expect.stringContaining("There is no tag “c”"),
      expect.stringContaining("There is no tag “b”")
    ])
  })

  it("whose links have changed since is not renamed back unless forced", function* () {
    const names = yield* EditNames
    const edits = yield* EditLinks
    const id = yield* add(page("One"), { tags: ["a"] })
    const { undo } = yield* names.edit("tag", "a", { name: "b" })
    yield* names.edit("tag", "b", { name: "c" })
    expect(yield* Effect.flip(edits.undo(undo))).toMatchObject({
      _tag: "ChangedSince",
      fields: ["tags"],
      things: ["the other name “a”"]
    })
    yield* edits.undo(undo, { force: true })
    expect(yield* tagsOf(id)).toEqual(["a"])
  })

  it("in the trash has its new name when its link returns", function* () {
    const names = yield* EditNames
    const edits = yield* EditLinks
    const id = yield* add(page("One"), { tags: ["a", "b"] })
    yield* add(page("Two"), { tags: ["a"] })
    const { undo } = yield* edits.trash([id])
    yield* names.edit("tag", "a", { name: "z" })
    yield* edits.undo(undo)
    expect(yield* tagsOf(id)).toEqual(["z", "b"])
  })
})

describe("a category", () => {
  it("is renamed, obeyed by the model, and leaves its links unsorted when it is deleted", function* () {
    const names = yield* EditNames
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const id = yield* add(page("One"), { category: "dev" })
    const { undo } = yield* names.edit("category", "dev", { name: "Programming" })
    expect((yield* links.get(id)).category).toBe("programming")
    expect([yield* count("category:dev"), yield* count("category:programming")]).toEqual([1, 1])
    const [claimed] = yield* save([page("Two")])
    expect(claimed?.link.category).toBe("programming")
    yield* edits.undo(undo, { force: true })
    const removed = yield* names.remove("category", "dev")
    expect((yield* links.get(id)).category).toBe("unsorted")
    yield* edits.undo(removed.undo)
    expect((yield* links.get(id)).category).toBe("dev")
    expect(yield* Effect.flip(names.remove("category", "unsorted"))).toMatchObject({ _tag: "LabelRefused" })
  })
})
