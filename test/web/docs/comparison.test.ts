import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import GithubSlugger from "github-slugger"

const root = resolve(import.meta.dir, "../../..")
const pages = resolve(root, "web/docs/pages")

/** The table of features in a text: for each row, the cells. */
const rowsIn = (file: string): ReadonlyArray<ReadonlyArray<string>> =>
  readFileSync(resolve(root, file), "utf8")
    .split(/^(?=\| \| Karakeep)/m)[1]
    ?.split("\n\n", 1)[0]
    ?.trim()
    .split("\n")
    .map((row) =>
      row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    ) ?? []

const anchorsOf = (page: string): ReadonlyArray<string> => {
  const slugger = new GithubSlugger()
  return [...readFileSync(resolve(pages, page), "utf8").matchAll(/^#{2,} (.+)$/gm)].map(([, heading = ""]) =>
    slugger.slug(heading.replaceAll("`", ""))
  )
}

for (const [file, link] of [
  ["README.md", /^\[.+\]\(web\/docs\/pages\/([a-z-]+\.md)(?:#([a-z-]+))?\)$/],
  ["web/docs/pages/comparison.md", /^\[.+\]\(\/docs\/([a-z-]+)(?:#([a-z-]+))?\)$/]
] as const)
  test(`each row of the comparison in ${file} has a page of the documentation behind it`, () => {
    const [head = [], , ...rows] = rowsIn(file)
    expect(head.at(-1)).toBe("Linkbower")
    expect(rows.length).toBeGreaterThan(9)
    for (const [feature = "", ...cells] of rows) {
      const [, page = "", anchor] = link.exec(feature) ?? []
      const name = page.replace(/(?:\.md)?$/, ".md")
      expect({ feature, isPage: readdirSync(pages).includes(name) }).toEqual({ feature, isPage: true })
      if (anchor !== undefined) expect(anchorsOf(name)).toContain(anchor)
      expect({ feature, cells: cells.length, ours: cells.at(-1) !== "" }).toEqual({
        feature,
        cells: head.length - 1,
        ours: true
      })
    }
  })
