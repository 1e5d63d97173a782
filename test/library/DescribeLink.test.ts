import { describe, expect } from "bun:test"
import { Effect, Layer, Option } from "effect"
import { library } from "../../src/Application.ts"
import { Enricher, type EnrichRequest } from "../../src/enrich/Enricher.ts"
import { DescribeLink } from "../../src/library/DescribeLink.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { effectTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { add, addAll, cookies, databases, one, players, type Text } from "../support/libraryOf.ts"
import { found } from "../support/links.ts"

/** What the model was offered and what it makes of it. */
interface Model {
  text: Text
  tags: ReadonlyArray<string>
  offered: ReadonlyArray<string>
  categories: ReadonlyArray<string>
}
const model: Model = { text: one(cookies), tags: [], offered: [], categories: [] }
const enricher = Layer.succeed(Enricher, {
  enrich: ({ categories, tagsFor, url }: EnrichRequest) =>
    Effect.gen(function* () {
      const { tags, text } = model
      model.categories = categories.map(({ name }) => name)
      model.offered = yield* tagsFor(`${text.title}\n${text.description}`)
      return found({ ...text, url: url.href }, { summary: { summary: "", tags, category: null } })
    })
})

const it = effectTest(Layer.provideMerge(library, Layer.merge(stores(), enricher)))

/** What is found out about a link that says this and that the model gives these tags. */
const enrich = Effect.fnUntraced(function* (text: Text, tags: ReadonlyArray<string> = []) {
  model.text = text
  model.tags = tags
  const describing = yield* DescribeLink
  return yield* describing.enrich({ url: new URL("https://example.org/new"), note: "", hints: {} })
})

describe("DescribeLink", () => {
  it(
    "writes tags as the library writes them, where one in use says the same",
    Effect.gen(function* () {
      yield* add(one(databases, 0), { tags: ["postgresql", "databases", "k8s"] })
      const { summary } = yield* enrich(one(databases, 1), ["postgres", "database", "kubernetes", "indexing"])
      expect(summary.tags).toEqual(["postgresql", "databases", "k8s", "indexing"])
    })
  )

  it(
    "makes one tag of several that say the same, and takes the busiest in use",
    Effect.gen(function* () {
      yield* add(one(cookies, 0), { tags: ["recipe"] })
      yield* add(one(cookies, 1), { tags: ["recipes"] })
      yield* add(one(cookies, 2), { tags: ["recipes"] })
      expect((yield* enrich(one(cookies, 3), ["recipe", "recipes"])).summary.tags).toEqual(["recipes"])
    })
  )

  it(
    "leaves the tags of the first link as the model wrote them",
    Effect.gen(function* () {
      expect((yield* enrich(one(cookies), ["baking", "sweet-things"])).summary.tags).toEqual([
        "baking",
        "sweet-things"
      ])
    })
  )

  it(
    "offers the model the neighbours' tags first, then those in use everywhere, each once",
    Effect.gen(function* () {
      yield* addAll(players, { tags: ["self-hosted", "music"] })
      yield* add(one(databases, 0), { tags: ["sql", "self-hosted"] })
      yield* addAll(cookies.slice(0, 2), { tags: ["baking"] })
      yield* enrich(one(cookies, 2))
      expect(model.offered[0]).toBe("baking")
      expect(model.offered.toSorted()).toEqual(["baking", "music", "self-hosted", "sql"])
      yield* enrich(one(databases, 1))
      expect(model.offered.slice(0, 2)).toEqual(["sql", "self-hosted"])
    })
  )

  it(
    "keeps private tags from the model, and gives none of them to a link",
    Effect.gen(function* () {
      yield* addAll(cookies.slice(0, 3), { tags: [".health", ".diet"] })
      yield* addAll(players, { tags: [".friends", "music"] })
      const { summary } = yield* enrich(one(cookies, 3), ["health", "diets", "friend", "songs"])
      expect(model.offered).toEqual(["music"])
      expect(summary.tags).toEqual(["health", "diets", "friend", "songs"])
    })
  )

  it(
    "offers sixty tags though the nearest and busiest ones are private",
    Effect.gen(function* () {
      const hidden = Array.from({ length: 80 }, (_, i) => `.hidden-${i}`)
      yield* addAll(cookies.slice(1), { tags: hidden })
      yield* add(one(players), { tags: Array.from({ length: 70 }, (_, i) => `tag-${i}`) })
      yield* enrich(one(cookies))
      expect(model.offered.length).toBe(60)
      expect(model.offered.filter((tag) => tag.includes("hidden"))).toEqual([])
    })
  )

  it(
    "offers no more tags than a model reads, and the categories in use",
    Effect.gen(function* () {
      for (const [index, text] of [...databases, ...players].entries())
        yield* add(text, {
          tags: Array.from({ length: 9 }, (_, i) => `tag-${index}-${i}`),
          category: index < 5 ? "software" : "music"
        })
      yield* add(one(cookies, 0), { tags: ["baking"], category: "recipes" })
      yield* enrich(one(cookies, 1))
      expect(model.offered.length).toBe(60)
      expect(model.offered[0]).toBe("baking")
      expect(model.categories).toEqual(["software", "music", "recipes"])
    })
  )

  it(
    "offers the first link of a library nothing",
    Effect.gen(function* () {
      yield* enrich(one(cookies))
      expect([model.offered, model.categories]).toEqual([[], []])
    })
  )

  it(
    "writes nothing about a link that was deleted while it was looked at",
    Effect.gen(function* () {
      const describing = yield* DescribeLink
      const links = yield* LinkStore
      const id = yield* add(one(cookies))
      const link = yield* links.get(id)
      const seen = yield* enrich(one(cookies))
      const surroundings = yield* describing.locate(link, seen)
      yield* links.remove([id])
      expect(yield* describing.finish(id, seen, surroundings)).toEqual(Option.none())
      expect(yield* links.count).toBe(0)
    })
  )
})
