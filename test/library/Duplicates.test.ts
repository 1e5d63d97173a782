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

  it("keeps apart pages with the same title but another text", function* () {
    yield* add({ title: "Weekly notes", description: sky.description }, { url: "https://a.example/3" })
    yield* add(
      { title: "Weekly notes", description: one(databases).description },
      { url: "https://b.example/4" }
    )
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
