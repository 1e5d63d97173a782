import { expect, test } from "bun:test"
import { builtIn } from "../../src/enrich/embedding/BuiltIn.ts"
import { makeNearWords } from "../../src/search/NearWords.ts"

const nearIn = (...terms: ReadonlyArray<string>) => {
  const words = makeNearWords(builtIn)
  words.add(terms.map((word) => ({ word, links: 1 })))
  return words.near
}

test("finds the indexed words nearest in meaning, in any language, as words instead of stems", () => {
  const near = nearIn(
    "password",
    "recip",
    "weather",
    "bread",
    "librari",
    "photo",
    "the",
    "manag",
    "xyzzyq",
    "закладки"
  )
  expect(near("Passwort")).toEqual(["password"])
  expect(near("погода")).toEqual(["weather"])
  expect(near("gestionnaire")).toEqual(["manager"])
  expect(near("bookmark")).toEqual(["закладки"])
})

test("finds neither the word itself nor words that mean something else", () => {
  const near = nearIn("weather", "photo", "the")
  for (const word of ["weather", "qxzvk", "Passwort", "", "😀"])
    expect({ word, found: near(word) }).toEqual({ word, found: [] })
})

test("finds at most ten words", () => {
  const many =
    "bread yeast dough loaf flour cornmeal oat oven baking bake baker pastry cake wheat sourdough butter".split(
      " "
    )
  expect(nearIn(...many)("Brot").length).toBeLessThanOrEqual(10)
  expect(nearIn(...many)("Brot")[0]).toBe("bread")
})
