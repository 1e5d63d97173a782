import { expect, test } from "bun:test"
import { suggestTags } from "../../web/app/tagSuggestions.ts"

const all = [
  { name: "javascript", count: 40 },
  { name: "java", count: 12 },
  { name: "machine-learning", count: 9 },
  { name: "learning", count: 5 },
  { name: ".later", count: 3 }
]

const namesFor = (
  typed: string,
  { has = [], likely = [] }: { has?: Array<string>; likely?: Array<string> } = {}
) => suggestTags(typed, { all, has, likely }).map(({ name }) => name)

test("offers tags that begin with the typed text, then a later word, then those that suit the link", () => {
  expect(namesFor("Java")).toEqual(["javascript", "java"])
  expect(namesFor("learn", { likely: ["education"] })).toEqual(["learning", "machine-learning", "education"])
  expect(suggestTags("learn", { all, has: [], likely: ["learning"] })[0]).toEqual({
    name: "learning",
    count: 5,
    isLikely: true
  })
})

test("offers the likely tags and the busiest before anything is typed, without those of the link", () => {
  expect(namesFor("", { has: ["javascript"], likely: ["education", "java"] }).slice(0, 3)).toEqual([
    "education",
    "java",
    "machine-learning"
  ])
})

test("completes private tags only after a dot, or where they match", () => {
  expect(namesFor(".")).toEqual([".later"])
  expect(namesFor(".la", { likely: ["later"] })).toEqual([".later"])
})
