import { describe, expect, test } from "bun:test"
import { makeSearch, type SearchIndex } from "../../../web/docs/browser/searchEngine.ts"

const index: SearchIndex = {
  pages: [
    { path: "/docs/backup", title: "Backup and restore" },
    { path: "/docs/settings", title: "Settings" },
    { path: "/docs/bot", title: "The bot" }
  ],
  sections: [
    { page: 0, heading: "", id: "", text: "Copy the library while it runs.", weight: 1 },
    {
      page: 0,
      heading: "Every night",
      id: "every-night",
      text: "A timer makes one copy each night.",
      weight: 1
    },
    { page: 1, heading: "", id: "", text: "Every setting, and where its value comes from.", weight: 1 },
    {
      page: 1,
      heading: "DATA_DIR",
      id: "data_dir",
      text: "The folder of library.db. A backup goes elsewhere.",
      weight: 1
    },
    { page: 2, heading: "", id: "", text: "Save links from Telegram.", weight: 1 },
    {
      page: 2,
      heading: "Café",
      id: "cafe",
      text: `${"Words that nobody looks for. ".repeat(20)}Here is the needle in it. ${"More words follow here. ".repeat(20)}`,
      weight: 1
    }
  ]
}

const search = makeSearch(index)
const found = (query: string) => search(query, 10).map(({ href }) => href)

describe("the search in the documentation", () => {
  for (const [what, query, first] of [
    ["a page by its title, before sections that mention it", "backup", "/docs/backup"],
    ["a section by its heading", "every night", "/docs/backup#every-night"],
    ["a setting by its name", "DATA_DIR", "/docs/settings#data_dir"],
    ["a setting by a part of its name, in lower case", "data", "/docs/settings#data_dir"],
    ["incomplete words", "telegr", "/docs/bot"],
    ["words with a wrong letter", "telegrom", "/docs/bot"],
    ["words with a missing letter", "telegam", "/docs/bot"],
    ["words with two letters swapped", "telegarm", "/docs/bot"],
    ["short words with a wrong letter", "cepy", "/docs/backup"],
    ["the singular for a plural", "folders", "/docs/settings#data_dir"],
    ["the plural for a singular", "link", "/docs/bot"],
    ["words with and without accents", "cafe", "/docs/bot#cafe"],
    ["words in any order", "runs library", "/docs/backup"]
  ] as const)
    test(`finds ${what}`, () => {
      expect(found(query)[0]).toBe(first)
    })

  test("requires every word if a section contains them all", () => {
    expect(found("timer night")).toEqual(["/docs/backup#every-night"])
  })

  test("returns sections with most of the words if none has them all", () => {
    expect(found("telegram timer xyzzyq")).toEqual(
      expect.arrayContaining(["/docs/bot", "/docs/backup#every-night"])
    )
  })

  test("does not treat a known word as a misspelling", () => {
    expect(found("here")).toEqual(["/docs/bot#cafe"])
    expect(found("whre")).toEqual(["/docs/settings"])
  })

  for (const query of ["", "   ", "!?", "xyz", "xyzzyqvw"])
    test(`finds nothing for ${JSON.stringify(query)}`, () => {
      expect(found(query)).toEqual([])
    })

  test("shows an excerpt with the words marked", () => {
    const [result] = search("needle", 10)
    const excerpt = result?.excerpt ?? []
    expect(excerpt.filter(({ marked }) => marked)).toEqual([{ text: "needle", marked: true }])
    const text = excerpt.map((piece) => piece.text).join("")
    expect(text.length).toBeLessThan(200)
    expect(text).toStartWith("… ")
    expect(text).toEndWith(" …")
  })

  test("returns no more than the limit", () => {
    expect(search("the", 1)).toHaveLength(1)
  })
})
