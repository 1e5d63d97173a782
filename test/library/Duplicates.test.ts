import { describe, expect } from "bun:test"
import { Context, Effect, Layer, Schema } from "effect"
import type { LinkId } from "../../src/domain/Link.ts"
import { Embedder } from "../../src/enrich/embedding/Embedder.ts"
import { Duplicates } from "../../src/library/Duplicates.ts"
import { Embeddings } from "../../src/library/Embeddings.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { libraryTest } from "../support/effect.ts"
import {
  add,
  addAll,
  cookies,
  databases,
  ended,
  offline,
  one,
  players,
  setNote,
  strangers
} from "../support/libraryOf.ts"

const it = libraryTest(offline())

/** The table under the name of the encoder. */
const encoder = Layer.map(Embedder.builtIn, (context) => {
  const { current, named } = Context.get(context, Embedder)
  return Context.make(Embedder, { current: { ...current, name: "linkbower-3" }, named })
})

const Result = Schema.Struct({
  found: Schema.Int,
  groups: Schema.Array(
    Schema.Struct({
      reason: Schema.String,
      similarity: Schema.Number,
      ids: Schema.Array(Schema.Int),
      copies: Schema.optionalWith(Schema.Boolean, { exact: true }),
      proposed: Schema.optionalWith(Schema.Boolean, { exact: true })
    })
  )
})

/** The groups that the job finds. */
const groupsFound = Effect.gen(function* () {
  const duplicates = yield* Duplicates
  const job = yield* ended(yield* duplicates.start)
  expect(job.state).toBe("done")
  return yield* Schema.decodeUnknown(Result)(job.result)
})

const samePage = (ids: ReadonlyArray<LinkId>) => ({ reason: "same-page", similarity: 1, ids })

/** Pages without common text, which only their addresses can join. */
const [sky, navy] = [one(strangers, 0), one(strangers, 1)]
const article = "https://journal.example/2024/harvest"

describe("Duplicates", () => {
  for (const [name, address] of [
    ["a tracking parameter", `${article}?utm_source=newsletter&fbclid=abc`],
    ["http for https", article.replace("https:", "http:")],
    ["www before the host", article.replace("//", "//www.")],
    ["a mobile host", article.replace("//", "//m.")],
    ["a slash at the end", `${article}/`],
    ["an AMP page's path", `${article}/amp`],
    ["an AMP parameter", `${article}?amp=1`],
    ["Google's AMP viewer", `https://www.google.com/amp/s/${article.slice(8)}`],
    ["an AMP cache", `https://journal-example.cdn.ampproject.org/c/s/${article.slice(8)}`]
  ] as const)
    it(`finds one page under two addresses that differ by ${name}`, function* () {
      const first = yield* add(sky, { url: article })
      // The store normalizes some of these on arrival; an earlier version did not.
      const second = yield* add(navy, { url: address, normalizedUrl: address })
      yield* add(one(cookies))
      const group = samePage([first, second])
      // A path may end in the name of a thing.
      const groups = address.endsWith("/amp") ? [{ ...group, copies: true }] : [group]
      expect(yield* groupsFound).toEqual({ found: 1, groups })
    })

  it("marks a page and its archived copy", function* () {
    const first = yield* add(sky, { url: article })
    const second = yield* add(navy, { url: `https://web.archive.org/web/20240101000000/${article}` })
    expect((yield* groupsFound).groups).toEqual([{ ...samePage([first, second]), copies: true }])
  })

  it("finds one page by the canonical address of the other link", function* () {
    const first = yield* add(sky, { url: article })
    const second = yield* add(navy, {
      url: "https://journal.example/story.php?id=77",
      canonicalUrl: article
    })
    expect((yield* groupsFound).groups).toEqual([samePage([first, second])])
  })

  it("finds one page by the target of a short address, and through a third link", function* () {
    const short = yield* add(sky, { url: "https://sho.example/x7", finalUrl: `${article}?amp=1` })
    const other = yield* add(one(cookies), {
      url: "https://journal.example/story.php?id=77",
      canonicalUrl: article
    })
    const third = yield* add(navy, { url: `${article}/amp` })
    // The third address may be that of a page about amplifiers.
    expect((yield* groupsFound).groups).toEqual([{ ...samePage([short, other, third]), copies: true }])
  })

  it("ignores canonical and final addresses on another site, a front page or a login", function* () {
    const canonicalUrl = "https://elsewhere.example/popular"
    yield* add(sky, { url: "https://one.example/a", canonicalUrl })
    yield* add(navy, { url: "https://two.example/b", canonicalUrl })
    const [front, login] = ["https://three.example/", "https://three.example/login?next=x"]
    yield* add(one(cookies), { url: "https://three.example/a", canonicalUrl: front })
    yield* add(one(databases), { url: "https://three.example/b", canonicalUrl: front, finalUrl: login })
    yield* add(one(players), { url: "https://three.example/c", finalUrl: login })
    expect(yield* groupsFound).toEqual({ found: 0, groups: [] })
  })

  it("finds links with nearly the same text under unrelated addresses", function* () {
    const first = yield* add(one(databases), { url: "https://a.example/postgres" })
    const { description, title } = one(databases)
    const copy = { title: `${title} | Mirror`, description: `${description}.` }
    const second = yield* add(copy, { url: "https://b.example/copy-of-it" })
    yield* addAll(databases.slice(1))
    yield* addAll(cookies)
    const { groups } = yield* groupsFound
    expect(groups.map(({ similarity: _, ...group }) => group)).toEqual([
      { reason: "near-identical", proposed: true, ids: [first, second] }
    ])
    expect(groups[0]?.similarity).toBeGreaterThan(0.8)
  })

  for (const [name, test] of [
    ["the table", it],
    ["the encoder", libraryTest(offline(encoder))]
  ] as const)
    test(`finds links with nearly the same text whose notes differ, with ${name}`, function* () {
      const { description, title } = one(databases)
      const first = yield* add(one(databases), { url: "https://a.example/postgres" })
      const second = yield* add(
        { title, description: `${description}.` },
        { url: "https://b.example/copy-of-it" }
      )
      yield* addAll(databases.slice(1))
      yield* setNote(
        second,
        "Bake the sourdough on Sunday, feed the starter twice, and ask Maria. ".repeat(5)
      )
      yield* (yield* Embeddings).catchUp(() => Effect.void)
      const { groups } = yield* groupsFound
      expect(groups.map(({ ids, reason }) => ({ ids, reason }))).toEqual([
        { reason: "near-identical", ids: [first, second] }
      ])
    })

  it("keeps apart parts of a series, and pages with the same title but another text", function* () {
    const { description, title } = one(databases)
    yield* add({ title: `${title}, part 1`, description }, { url: "https://a.example/1" })
    yield* add({ title: `${title}, part 2`, description }, { url: "https://a.example/2" })
    yield* add({ title: "Weekly notes", description: sky.description }, { url: "https://a.example/3" })
    yield* add({ title: "Weekly notes", description }, { url: "https://b.example/4" })
    expect(yield* groupsFound).toEqual({ found: 0, groups: [] })
  })

  it("keeps similar repositories of one code host apart", function* () {
    const { description } = one(players)
    const repository = (path: string) =>
      add({ title: "music-server", description }, { url: `https://github.com/${path}` })
    yield* repository("alice/music-server")
    yield* repository("bob/music-server")
    expect(yield* groupsFound).toEqual({ found: 0, groups: [] })
  })

  it("finds one repository under two addresses", function* () {
    const text = { title: "music-server", description: one(players).description }
    const address = "https://github.com/alice/music-server"
    const plain = yield* add(text, { url: address })
    const www = yield* add(text, { url: address.replace("//", "//www.") })
    yield* add(one(cookies), { url: "https://github.com/alice/cookies" })
    expect((yield* groupsFound).groups).toEqual([samePage([plain, www])])
  })

  it("compares links without a readable page by address only", function* () {
    const nothing = { title: "silent.example", description: "" }
    yield* add(nothing, { url: "https://silent.example/a" })
    yield* add(nothing, { url: "https://silent.example/b" })
    expect(yield* groupsFound).toEqual({ found: 0, groups: [] })
  })

  it("changes no link, and finds nothing in an empty library", function* () {
    expect(yield* groupsFound).toEqual({ found: 0, groups: [] })
    const links = yield* LinkStore
    const ids = [yield* add(sky, { url: article }), yield* add(sky, { url: article.replace("//", "//www.") })]
    const before = yield* links.getAll(ids)
    expect((yield* groupsFound).found).toBe(1)
    expect(yield* links.getAll(ids)).toEqual(before)
  })
})
