import { describe, expect, test } from "bun:test"
import { madeUpLinks } from "./support/madeUpLinks.ts"
import { useLibrary } from "./support/useLibrary.ts"

const SIZE = 120
const library = useLibrary(SIZE)

/** How many links answer to this. */
const count = async (query: string) => {
  const answer = await library().client.owner("GET", `/api/links?limit=1&${query}`)
  const { total }: { total: number } = await answer.json()
  return total
}

describe("a library that was filled before the service started", () => {
  test("has links of every kind that a screen shows", async () => {
    const links = await library().client.links()
    expect(links.length).toBe(SIZE)
    expect(links.slice(0, 4).map(({ enrichment }) => enrichment === "pending")).toEqual([
      true,
      true,
      true,
      false
    ])
    expect(links.slice(0, 30).some(({ title }) => /\p{Script=Arabic}/u.test(title))).toBe(true)
    for (const query of ["favorite=true", "shareable=true", "collection=none"]) {
      expect(await count(query)).toBeGreaterThan(0)
      expect(await count(query)).toBeLessThan(SIZE)
    }
    const some = (is: (link: (typeof links)[number]) => boolean) => links.filter(is).length
    expect(some(({ note }) => note !== "")).toBeGreaterThan(3)
    expect(some(({ summary }) => summary === "")).toBeGreaterThan(10)
    expect(some(({ summary, tags }) => summary !== "" && tags.length > 0)).toBeGreaterThan(30)
    expect(new Set(links.map(({ category }) => category)).size).toBeGreaterThan(5)
  })

  test("has pictures that the service can fetch", async () => {
    const answer = await library().client.owner("GET", "/api/links")
    const { links }: { links: ReadonlyArray<{ id: number; image: string | null; favicon: string | null }> } =
      await answer.json()
    for (const kind of ["image", "favicon"] as const) {
      const link = links.find((one) => one[kind] !== null)
      const picture = await library().client.owner("GET", `/api/links/${link?.id}/${kind}`)
      expect([picture.status, picture.headers.get("content-type")]).toEqual([
        200,
        expect.stringMatching(/^image\//)
      ])
    }
  })
})

test("where there are no real links, some sixty others stand in, each at an address of its own", () => {
  expect(madeUpLinks.length).toBeGreaterThanOrEqual(55)
  expect(new Set(madeUpLinks.map(({ url }) => url)).size).toBe(madeUpLinks.length)
})
