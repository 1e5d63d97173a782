import { describe, expect, test } from "bun:test"
import { Effect, Layer } from "effect"
import { type LinkQuery, parseQuery } from "../../src/domain/LinkQuery.ts"
import { makeSpelling } from "../../src/search/Spelling.ts"
import { withoutStopWords, wordSearch } from "../../src/search/WordSearch.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { RankedText } from "../../src/store/search/RankedText.ts"
import { VectorStore } from "../../src/store/vectors/VectorStore.ts"
import { libraryTest } from "../support/effect.ts"
import { hostileTexts } from "../support/hostileTexts.ts"
import { stores } from "../support/library.ts"
import { found, newLink } from "../support/links.ts"

const it = libraryTest(Layer.provideMerge(Layer.merge(RankedText.layer, VectorStore.layer), stores()))

const save = Effect.fnUntraced(function* (...titles: ReadonlyArray<string>) {
  const links = yield* LinkStore
  return yield* Effect.forEach(titles, (title) =>
    Effect.gen(function* () {
      const { link } = yield* links.upsert(newLink(title.replace(/\W/g, "")))
      yield* links.finish(link.id, found({ title, description: "", text: "" }))
      return link.id
    })
  )
})

const search = Effect.fnUntraced(function* (text: string, maxCorrections?: number) {
  const index = yield* RankedText
  const { stamp } = yield* VectorStore
  const spelling = yield* makeSpelling({ words: index.words, stamp })
  const query: LinkQuery = { ...parseQuery(text, 0), sort: "relevance", limit: 100 }
  return yield* wordSearch<LinkQuery>(
    { ...index, ...spelling, ranked: (asked, strictness) => index.ranked(asked, strictness, 1e9) },
    maxCorrections
  )(query)
})

const finds = (text: string) =>
  Effect.map(search(text), ({ fit, loosely }) => ({ text, fit, links: loosely }))

describe("wordSearch", () => {
  it("does not require stop words if no link contains all words", function* () {
    const [shared = 0, how = 0] = yield* save("Share files between devices", "How files work", "Phones")
    expect(yield* finds("share files ")).toEqual({ text: "share files ", fit: "typed", links: [shared] })
    for (const text of ["how do I share files", "where can I share my files", "share files with the devices"])
      expect(yield* finds(text)).toEqual({ text, fit: "topic", links: [shared] })
    // A stop word is one only where it is not needed.
    expect(yield* finds("how files")).toEqual({ text: "how files", fit: "typed", links: [how] })
  })

  it("finds words of other languages by the words nearest in meaning", function* () {
    const [passwords = 0, weather = 0, own = 0] = yield* save(
      "Password manager",
      "Weather forecasts",
      "Wetter in Wien",
      "Photos"
    )
    for (const [text, links, also] of [
      ["Passwort", [passwords], ["password"]],
      ["gestionnaire de mots de passe ", [passwords], ["manager", "password"]],
      ["менеджер паролей", [passwords], ["password"]],
      ["天気", [weather, own], ["weather", "wetter"]],
      // A word that links contain is searched for alone.
      ["wetter ", [own], []]
    ] as const) {
      const found = yield* search(text)
      expect({ text, links: found.loosely }).toEqual({ text, links: [...links] })
      for (const word of also)
        expect({ text, also: found.also }).toEqual({ text, also: expect.arrayContaining([word]) })
      expect(found.also.length === 0).toBe(also.length === 0)
    }
  })

  it("corrects a word beside one that links contain, though it is one of another language", function* () {
    const [notes = 0] = yield* save("Quick notes", "Atoms and particles")
    const { also, fit, found } = yield* search("motes quick ")
    expect({ also, fit, found }).toEqual({ also: [], fit: "corrected", found: [notes] })
  })

  it("ranks the links with some of the words by the rarest", function* () {
    const common = Array.from({ length: 20 }, (_, n) => `Photo ${n}`)
    yield* save(...common)
    const [rare = 0] = yield* save("Federation")
    const { fit, links } = yield* finds("how to share a photo by federation of servers")
    expect(fit).toBe("some")
    expect(links[0]).toBe(rare)
    expect(links.length).toBe(21)
  })

  it("finds a name written together by its words, and the reverse", function* () {
    const [pixels = 0, apart = 0, map = 0, code = 0] = yield* save(
      "DataPixels",
      "Photo Prism",
      "OpenStreetMap",
      "Visual Studio Code",
      "Data of all kinds"
    )
    const cases = {
      "data pixels": pixels,
      "data pix": pixels,
      "data-pixels ": pixels,
      photoprism: apart,
      "photoprism ": apart,
      "open street map": map,
      visualstudiocode: code
    }
    for (const [text, id] of Object.entries(cases))
      expect({ text, links: (yield* search(text)).found }).toEqual({ text, links: [id] })
  })

  it("corrects a word that no link contains, with or without its first letter", function* () {
    const [docker = 0, python = 0] = yield* save("Docker images", "Python notebooks", "Not a note")
    for (const text of ["dokcer", "gocker", "ocker images", "docker imagse"])
      expect(yield* finds(text)).toEqual({ text, fit: "corrected", links: [docker] })
    expect(yield* finds("what is pyhton")).toEqual({
      text: "what is pyhton",
      fit: "corrected",
      links: [python]
    })
    expect((yield* search("dokcer", 0)).found).toEqual([])
    expect((yield* search("dokcer")).meant).toEqual([{ text: "docker", kind: "prefix", negated: false }])
    expect((yield* search('"dokcer"')).loosely).toEqual([])
  })

  it("corrects one of a few words if each occurs but no link contains them all", function* () {
    const [react = 0] = yield* save("React hooks", "Reach the coast", "Books")
    expect(yield* finds("reach hooks")).toEqual({ text: "reach hooks", fit: "corrected", links: [react] })
    expect((yield* finds("coast books")).fit).toBe("some")
  })

  it("puts what was probably meant before words that contain the letters", function* () {
    const [inside = 0, meant = 0] = yield* save("Provides", "Videos")
    expect((yield* finds("vides ")).links).toEqual([meant, inside])
  })

  it("survives hostile text and has nothing to find in an empty library", function* () {
    for (const text of [...hostileTexts, "how to be", "a ".repeat(500), "word ".repeat(200)])
      expect({ text, found: (yield* search(text)).loosely }).toEqual({ text, found: [] })
    const [id] = yield* save("Something")
    for (const text of hostileTexts) yield* search(`${text} something`)
    expect((yield* search("something")).found).toEqual([id ?? 0])
  })
})

test("withoutStopWords keeps them where no other words are wanted", () => {
  const kept = (text: string) => withoutStopWords(parseQuery(text, 0).terms).map((term) => term.text)
  expect(kept("how do I share files?")).toEqual(["share", "files?"])
  expect(kept("to be or not to be")).toEqual(kept("to be or not to be"))
  expect(kept("the who -band")).toEqual(["the", "who", "band"])
  expect(kept("what's new in rust?")).toEqual(["new", "rust?"])
  expect(kept('"how do I" work')).toEqual(["how do I", "work"])
})
