import { afterAll, beforeAll, describe, expect, test } from "bun:test"

type Route = typeof import("../../web/app/state/route.ts")

let route: Route

// The module reads the address when it is loaded.
const before = {
  location: globalThis.location,
  history: globalThis.history,
  matchMedia: globalThis.matchMedia
}
beforeAll(async () => {
  Object.assign(globalThis, {
    location: new URL("http://localhost/dashboard"),
    history: { state: null },
    matchMedia: () => ({ matches: true })
  })
  route = await import("../../web/app/state/route.ts")
})
afterAll(() => void Object.assign(globalThis, before))

const addressOf = (from: string, label: Parameters<Route["narrowedBy"]>[1]) =>
  decodeURIComponent(
    route.hrefOf(route.narrowedBy(route.filtersOf(new URLSearchParams(from)), label)).replaceAll("+", " ")
  ).replace("/dashboard", "")

describe("a view narrowed by a label", () => {
  for (const [what, from, label, to] of [
    ["has its filter", "", { tag: "a" }, "?tag=a"],
    ["keeps the others", "favorite=true&q=word", { category: "go" }, "?q=word&category=go&favorite=true"],
    ["stays if it has the filter", "tag=a&q=word", { tag: "a" }, "?q=word&tag=a"],
    ["takes a second tag into the search text", "tag=a", { tag: "b" }, "?q=tag:b&tag=a"],
    ["puts it before the words", "tag=a&q=one two", { tag: "b" }, "?q=tag:b one two&tag=a"],
    ["keeps a choice together", "tag=a&q=one or two", { tag: "b" }, "?q=tag:b (one or two)&tag=a"],
    ["does not write a tag twice", "tag=a&q=tag:b", { tag: "b" }, "?q=tag:b&tag=a"],
    ["does not repeat an operator", "q=tag:b word", { tag: "b" }, "?q=tag:b word"],
    ["replaces a category", "category=go", { category: "rust" }, "?category=rust"],
    ["replaces a collection", "collection=none", { collection: 3 }, "?collection=3"],
    [
      "keeps the order in the same kind of view",
      "tag=a&q=x&sort=oldest",
      { tag: "b" },
      "?q=tag:b x&tag=a&sort=oldest"
    ],
    ["leaves the order of another kind of view", "sort=oldest", { tag: "a" }, "?tag=a"]
  ] as const)
    test(what, () => expect(addressOf(from, label)).toBe(to))
})

test("a label that the view is narrowed to already leads to all links with it", () => {
  const filters = route.filtersOf(new URLSearchParams("tag=a&q=word"))
  expect(route.labelLink(filters, { tag: "a" })).toEqual({
    href: "/dashboard?tag=a",
    "data-alone": "/dashboard?tag=a"
  })
  expect(route.labelLink(filters, { category: "go" })).toEqual({
    href: "/dashboard?q=word&category=go&tag=a",
    "data-alone": "/dashboard?category=go"
  })
})

test("the kind of a view is its search, or else its narrowest filter", () => {
  const kindOf = (text: string) => route.viewOf(route.filtersOf(new URLSearchParams(text)))
  for (const [text, kind] of [
    ["", "all"],
    ["favorite=true", "favorites"],
    ["shareable=true", "shared"],
    ["category=go&favorite=true", "category"],
    ["tag=a&category=go", "tag"],
    ["collection=4&tag=a", "collection:4"],
    ["collection=none", "collection:none"],
    ["q=word&collection=4", "search"],
    ["like=3&q=word", "similar"]
  ] as const)
    expect([text, kindOf(text)]).toEqual([text, kind])
})
