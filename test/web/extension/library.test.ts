import { describe, expect, test } from "bun:test"
import { asTyped } from "../../../web/extension/asTyped.ts"
import { changesOf, dayOf } from "../../../web/extension/edits.ts"
import { asLink, makeLibrary } from "../../../web/extension/library.ts"
import { destinationOf, suggestionsOf } from "../../../web/extension/suggestions.ts"
import { fakeFetch, json, page, settings } from "./fakeService.ts"

const reading = { ...settings, readToken: "lb_a", headers: "X-Gate: 1" }
const sent = {
  id: 7,
  url: "https://example.org/a",
  title: "A & B",
  note: "why",
  tags: ["x", "y"],
  collection: { id: 2, name: "Effect" },
  state: "read",
  createdAt: "2026-05-03T10:00:00.000Z"
}
const link = asLink(sent)

describe("the client of the library", () => {
  test("searches with the reading token and the gateway's headers, without cookies", async () => {
    const { asked, fetch } = fakeFetch(() => json(200, { links: [sent, { id: 8 }], total: 12 }))
    const found = await makeLibrary(reading, fetch).search("a b", 3)
    expect(found).toMatchObject({ links: [{ id: 7, collection: "Effect" }], total: 12 })
    expect(asked[0]).toMatchObject({
      address: "https://links.example.org/api/v1/links?q=a+b&limit=3&wait=false",
      init: {
        credentials: "omit",
        redirect: "manual",
        headers: { authorization: "Bearer lb_a", "X-Gate": "1" }
      }
    })
  })

  test("takes no link whose address is no page's", () => {
    for (const url of ["javascript:alert(1)", "data:text/html,x", "", 4])
      expect(asLink({ ...sent, url })).toBeUndefined()
  })

  test.each([
    ["change", [json(200, { links: [], total: 0 }), json(400, {})]],
    [
      "read",
      [json(200, { links: [], total: 0 }), json(403, { error: "insufficient_scope", needs: "change" })]
    ],
    ["scope", [json(403, { error: "insufficient_scope", needs: "read" })]],
    ["token", [json(401, { error: "unauthorized" })]],
    ["token", [page(200)]],
    ["unreachable", [json(503, {})]],
    ["unreachable", [null]]
  ] as const)("finds out what a token may do: %s", async (reading, answers) => {
    const left = [...answers]
    const { fetch } = fakeFetch(() => left.shift() ?? null)
    expect(await makeLibrary(settings, fetch).test()).toBe(reading)
  })

  test("fails with the service's words, or with none", async () => {
    const change = (response: Response | null) =>
      makeLibrary(reading, fakeFetch(() => response).fetch).change({ op: "edit" })
    expect(await change(json(200, { undo: "u" }))).toEqual({ undo: "u" })
    expect(await change(json(403, { message: "It needs share." }))).toEqual({ problem: "It needs share." })
    expect(await change(null)).toEqual({ problem: "" })
  })

  test("gives names, those of most links first", async () => {
    const counted = (...names: ReadonlyArray<string>) => names.map((name, count) => ({ name, count }))
    const { fetch } = fakeFetch(() =>
      json(200, { tags: counted("rare", "often"), collections: counted("One") })
    )
    expect(await makeLibrary(reading, fetch).names()).toEqual({
      tags: ["often", "rare"],
      collections: ["One"]
    })
  })
})

test("what is typed is looked up after a pause, and an answer that comes too late is dropped", async () => {
  const asked: Array<string> = []
  const shown: Array<string> = []
  const answers = new Map<string, (answer: string) => void>()
  const waiting = new Map<string, () => void>()
  const look = (words: string) => {
    asked.push(words)
    waiting.get(words)?.()
    return new Promise<string>((resolve) => answers.set(words, resolve))
  }
  const typed = asTyped(look, (answer: string) => void shown.push(answer), 1)
  const lookedUp = (words: string) => new Promise<void>((resolve) => waiting.set(words, resolve))
  const [first, second] = [lookedUp("abc"), lookedUp("abcd")]
  for (const words of ["a", "ab", "abc"]) typed(words)
  await first
  typed("abcd")
  await second
  answers.get("abcd")?.("new")
  answers.get("abc")?.("old")
  await Promise.resolve()
  expect([asked, shown]).toEqual([["abc", "abcd"], ["new"]])
})

describe("the address bar", () => {
  test("suggests links, in the form that each browser shows", () => {
    const links = link === undefined ? [] : [link, link]
    expect(suggestionsOf(links, true)).toEqual([
      { content: "https://example.org/a", description: "A &amp; B <dim>example.org</dim>" }
    ])
    expect(suggestionsOf(links, false)[0]?.description).toBe("A & B – example.org")
  })

  test("leads to a link or to the dashboard's search", () => {
    expect(destinationOf("https://example.org/a", settings)).toBe("https://example.org/a")
    expect(destinationOf("tag:x & y", settings)).toBe(
      "https://links.example.org/dashboard?q=tag%3Ax%20%26%20y"
    )
    expect(destinationOf("javascript:alert(1)", settings)).toStartWith(
      "https://links.example.org/dashboard?q="
    )
  })
})

describe("a saved page", () => {
  test("is dated by its day, with the year if it is another", () => {
    const now = new Date("2026-11-28T12:00:00Z")
    expect(dayOf("2026-05-03T10:00:00.000Z", now, "en-GB")).toBe("3 May")
    expect(dayOf("2024-05-03T10:00:00.000Z", now, "en-GB")).toBe("3 May 2024")
  })

  test("is changed only where the fields differ", () => {
    if (link === undefined) return expect.unreachable()
    const same = { note: "why", tags: ["y", "x"], collection: "Effect", state: "read" }
    expect(changesOf(link, same)).toEqual([])
    expect(changesOf(link, { ...same, note: "new", collection: "" })).toEqual([
      { op: "edit", ids: [7], note: "new", collection: null }
    ])
    expect(changesOf(link, { ...same, tags: ["x"], state: "archived" })).toEqual([
      { op: "edit", ids: [7], tags: ["x"] },
      { op: "state", ids: [7], state: "archived" }
    ])
  })
})
