import { describe, expect, test } from "bun:test"
import { CollectionNamer, TakenNames } from "../../src/organize/CollectionName.ts"
import { LibraryWords } from "../../src/organize/LibraryWords.ts"
import type { LinkDescription } from "../../src/organize/Words.ts"
import { about } from "../support/descriptions.ts"

const others = Array.from({ length: 40 }, (_, i) =>
  about(`Thing number ${i} of the garden`, { tags: ["garden"], category: "outdoors" })
)

const namerOf = (links: ReadonlyArray<LinkDescription>) => {
  const words = new LibraryWords()
  const namer = new CollectionNamer(words)
  for (const [id, link] of links.entries()) {
    words.add(id, link)
    namer.add(link)
  }
  return namer
}

const nameOf = (group: ReadonlyArray<LinkDescription>, taken: ReadonlyArray<string> = [], rest = others) =>
  namerOf([...group, ...rest]).name(group, new TakenNames(taken))

describe("CollectionNamer", () => {
  test("uses the category that most links of a group share", () => {
    const group = ["One", "Two", "Three", "Four", "Five"].map((title, i) =>
      about(title, { category: i < 3 ? "recipe management" : "food", tags: ["cake"] })
    )
    expect(nameOf(group)).toBe("Recipe Management")
    expect(nameOf(group, ["RECIPE management"])).toBe("Cake")
  })

  test("uses the tag of half of a group, in its links' spelling", () => {
    const group = [
      about("Running Node.js in containers", { tags: ["nodejs", "docker"] }),
      about("A Node.js primer", { tags: ["nodejs"] }),
      about("Streams", { tags: ["nodejs"] })
    ]
    expect(nameOf(group)).toBe("Node.js")
  })

  test("ignores a tag of the whole library", () => {
    const tags = ["web"]
    const group = ["Sourdough starters", "Sourdough bread", "Feeding a sourdough"].map((title) =>
      about(title, { tags })
    )
    expect(
      nameOf(
        group,
        [],
        others.map((link) => ({ ...link, tags }))
      )
    ).toBe("Sourdough")
  })

  test("uses the words that distinguish the group, in the titles' spelling", () => {
    const group = [
      about("PostgreSQL indexes explained", { description: "How postgresql finds rows." }),
      about("Tuning PostgreSQL for the garden", { description: "Settings of postgresql." }),
      about("POSTGRESQL BACKUPS")
    ]
    expect(nameOf(group)).toBe("PostgreSQL")
  })

  test("joins two words that occur together", () => {
    const group = [
      "a recipe management for families",
      "recipe management at home",
      "simple recipe management"
    ].map((title) => about(title))
    expect(nameOf(group)).toBe("Recipe Management")
  })

  test("uses words of another script", () => {
    const group = ["東京の料理教室", "料理教室の選び方", "初めての料理教室"].map((title) => about(title))
    expect(nameOf(group)).toContain("料理")
  })

  test("returns no used, empty or overlong name", () => {
    const group = ["sourdough bread", "sourdough bread", "sourdough bread"].map((title) => about(title))
    const taken: Array<string> = []
    for (let i = 0; i < 12; i++) {
      const name = nameOf(group, taken)
      expect(name).not.toBe("")
      expect(name.length).toBeLessThanOrEqual(60)
      expect(taken.map((one) => one.toLowerCase())).not.toContain(name.toLowerCase())
      taken.push(name.toUpperCase())
    }
    expect(nameOf([about(""), about("the of 12")], [], [])).toBe("Links")
    const long = Array.from({ length: 3 }, () => about("x".repeat(80)))
    expect(nameOf(long).length).toBeLessThanOrEqual(60)
    expect(namerOf([]).name([], new TakenNames())).toBe("Links")
  })

  test("uses a vague noun only beside another word", () => {
    const engines = ["Havok, a game engine", "Game engine of the year", "A game engine in Rust"].map(
      (title) => about(title)
    )
    expect(nameOf(engines)).toBe("Game Engine")
    const files = ["A file for sourdough", "Sourdough in a file", "The file of a sourdough"].map((title) =>
      about(title)
    )
    expect(nameOf(files)).toBe("Sourdough")
  })

  test("uses no word whose links are about everything", () => {
    const group = ["Manage tulips", "Tulips to manage", "How to manage"].map((title) => about(title))
    expect(nameOf(group)).toBe("Tulips")
    for (const word of ["Forms", "Notes", "Events"])
      expect(nameOf([`${word} one`, `${word} two`, `${word} three`].map((title) => about(title)))).toBe(word)
  })

  test("prefers what links are about to what they offer", () => {
    const offer = "of the kind that you have when they are on it too, and with unlimited history"
    const group = ["A team chat", "Another chat", "The calls"].map((what, i) =>
      about(["Braid", "Chanty", "Pumble"][i] ?? "", { description: `${what} ${offer}` })
    )
    expect(nameOf(group)).toBe("Chat")
  })

  test("uses no phrase that ends before the word that it describes", () => {
    const group = ["Kamailio", "Routr", "Flexisip"].map((title) =>
      about(title, { description: `${title}, a scalable SIP proxy` })
    )
    expect(nameOf(group)).toBe("SIP Proxy")
    const compatible = ["Kamailio", "Routr", "Flexisip"].map((title) =>
      about(title, { description: `Sourdough: ${title} is sourdough compatible` })
    )
    expect(nameOf(compatible)).toBe("Sourdough")
  })

  test("adds words that say something to names in use, before vague ones", () => {
    const group = ["spring balcony compost", "balcony compost cellar", "compost cellar spring"].map((words) =>
      about("Tulips", { description: `Manage tulips: ${words.replaceAll(" ", ", ")}` })
    )
    const taken: Array<string> = []
    while (!taken.some((name) => name.includes(":"))) taken.push(nameOf(group, taken))
    expect(taken.at(-1)).not.toContain("Manage")
  })

  test("does not name a group after a word that most other links contain too", () => {
    const group = ["Garden of roses", "Roses for a garden", "Garden: roses"].map((title) => about(title))
    expect(nameOf(group)).toBe("Roses")
    const ponds = ["Garden pond", "A pond", "Pond, with a garden", "Garden"].map((title) => about(title))
    expect(nameOf(ponds)).toContain("Pond")
  })

  test("does not name a group after a word that describes another one", () => {
    const group = ["Renewable heat", "Renewable power", "Renewable energy and heat"].map((title) =>
      about(title)
    )
    expect(nameOf(group)).not.toBe("Renewable")
  })

  test("uses no handles, owners of repositories, hosts or quantities", () => {
    const group = [
      about("acmecorp/bread", { description: "Sourdough by @baker, 10k stars" }),
      about("acmecorp/rolls", { description: "Sourdough by @baker, 10k stars" }),
      about("GitHub - acmecorp/loaf: sourdough", { description: "By @baker, 10k stars" }),
      about("acmecorp.example", { description: "A sourdough by @baker" })
    ]
    for (const name of [nameOf(group), nameOf(group, ["Sourdough"])])
      expect(name).not.toMatch(/acmecorp|baker|10k/i)
  })

  test("keeps the capitals of a name that is mostly written without", () => {
    const group = ["gtfs-tools", "gtfs-feeds", "gtfs", "Feeds of GTFS"].map((title) => about(title))
    expect(nameOf(group)).toContain("GTFS")
  })

  test("returns no name of a collection in another one, no plural of one in use, and no path", () => {
    const group = ["sourdough one", "sourdough two", "sourdough three"].map((title) => about(title))
    for (const taken of ["Kitchen / Sourdough", "Sourdoughs", "SOURDOUGH", "Kitchen / Bread / Sourdough"])
      expect(nameOf(group, [taken])).not.toBe("Sourdough")
    expect(nameOf(group, ["Sourdough / Kitchen"])).toBe("Sourdough")
    const nested = Array.from({ length: 3 }, () => about("Trains", { category: "work / trains" }))
    expect(nameOf(nested)).not.toContain(" / ")
    const slashed = Array.from({ length: 3 }, () => about("Pipelines", { category: "ci/cd" }))
    expect(nameOf(slashed)).toMatch(/^ci\/cd$/i)
  })

  test("names groups of identical texts, and of titles without words", () => {
    const same = Array.from({ length: 50 }, () => about("Screenshot", { description: "App Store" }))
    expect(nameOf(same)).toMatch(/Screenshot|Store/)
    const emoji = Array.from({ length: 3 }, () => about("🎉🎊"))
    expect(nameOf(emoji)).toBe("Links")
    expect(nameOf(emoji, ["Links"])).toBe("Links 2")
  })

  test("returns the same name for the same links", () => {
    const group = [about("Bees and wasps"), about("Wasps and bees"), about("Ants"), about("Ants and bees")]
    expect(nameOf(group)).toBe(nameOf(group))
  })

  test("never uses a private tag, because collection names are public", () => {
    const group = ["Sleep", "Walking", "Breathing"].map((title) =>
      about(title, { tags: [".burnout"], description: "Something for the evening" })
    )
    expect(nameOf(group)).not.toMatch(/burnout/i)
    const shown = group.map((link) => ({ ...link, tags: [".burnout", "calm"] }))
    expect(nameOf(shown)).toBe("Calm")
  })
})
