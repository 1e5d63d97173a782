import { describe, expect } from "bun:test"
import { isWithin, ownName } from "../../src/shared/CollectionPath.ts"
import { type App, appTests } from "../support/app.ts"
import { type RawLink, randomOf, writeLinks } from "../support/randomLibrary.ts"
import { MORE, SEED } from "../support/strange.ts"
import { isLong, long } from "../support/tier.ts"

const appTest = appTests()

interface Shelf {
  readonly id: number
  readonly name: string
  readonly parent: number | null
  readonly description: string
  readonly shareable: boolean
  readonly shared: boolean
}

interface Owned {
  readonly id: number
  readonly url: string
  readonly shareable: boolean
  readonly inShared: boolean
  readonly collection: { readonly id: number; readonly name: string } | null
}

const jsonOf = async (app: App, path: string) => (await app.request("GET", path)).json()
const ownedIn = async (app: App): Promise<ReadonlyArray<Owned>> =>
  (await (await app.owner("GET", "/api/links?q=-tag:nothing&limit=1000")).json()).links
const shelvesIn = async (app: App): Promise<ReadonlyArray<Shelf>> =>
  (await (await app.owner("GET", "/api/collections")).json()).collections

/** The public name of a shared collection, from the tree. */
const publicName = ({ name, parent }: Shelf, shelves: ReadonlyArray<Shelf>): string => {
  const around = shelves.find(({ id }) => id === parent)
  return around?.shared === true ? `${publicName(around, shelves)} / ${ownName(name)}` : ownName(name)
}

/** Expects the public side to show exactly what the owner shares, under names that tell nothing else. */
const checked = async (app: App, what: string) => {
  const links = await ownedIn(app)
  const shelves = await shelvesIn(app)
  for (const { id, parent, shareable, shared } of shelves) {
    const around = shelves.find((one) => one.id === parent)
    expect([what, id, shared]).toEqual([what, id, shareable || around?.shared === true])
  }
  const names = new Map(
    shelves.filter(({ shared }) => shared).map((one) => [one.id, publicName(one, shelves)])
  )
  for (const { collection, inShared, url } of links)
    expect([what, url, inShared]).toEqual([what, url, collection !== null && names.has(collection.id)])
  const wanted = links
    .filter(({ inShared, shareable }) => inShared || shareable)
    .map(({ collection, url }) => [url, collection && (names.get(collection.id) ?? collection.name)])
  const shown: ReadonlyArray<{ readonly url: string; readonly collection: string | null }> = (
    await jsonOf(app, "/list/api/links")
  ).links
  const sorted = (all: ReadonlyArray<unknown>) => all.map((one) => JSON.stringify(one)).toSorted()
  expect([what, sorted(shown.map(({ collection, url }) => [url, collection]))]).toEqual([
    what,
    sorted(wanted)
  ])
  for (const [id, name] of names) {
    const { collection } = await jsonOf(app, `/list/api/links?${new URLSearchParams({ collection: name })}`)
    const known = shelves.filter((one) => names.get(one.id)?.toLowerCase() === name.toLowerCase())
    expect([what, known.some((one) => one.description === collection.description)]).toEqual([what, true])
    expect([what, id, collection.name.toLowerCase()]).toEqual([what, id, name.toLowerCase()])
  }
  const isKnown = (name: string) =>
    [...names.values(), ...wanted.map(([, one]) => one)].some(
      (one) =>
        one !== null && one !== undefined && (one.toLowerCase() === name.toLowerCase() || isWithin(one, name))
    )
  for (const { name } of shelves)
    if (!isKnown(name)) {
      const answer = await app.request("GET", `/list?${new URLSearchParams({ collection: name })}`)
      expect([what, name, answer.status]).toEqual([what, name, 404])
    }
}

const link = (title: string, collection: string | null, shareable = false): RawLink => ({
  title,
  url: `https://example.org/${title}`,
  collection,
  createdAt: "2026-01-01T00:00:00.000Z",
  shareable,
  category: "reading",
  tags: []
})

/** Saves the links and files them, which creates their collections and those around them. */
const fill = async (app: App, links: ReadonlyArray<RawLink>) => {
  await app.run(writeLinks(links.map((one) => ({ ...one, collection: null }))))
  const saved = await ownedIn(app)
  for (const [collection, some] of Map.groupBy(links, (one) => one.collection)) {
    const ids = saved.filter(({ url }) => some.some((one) => one.url === url)).map(({ id }) => id)
    if (collection !== null) await app.owner("POST", "/api/mutate", { op: "collection", ids, collection })
  }
}

const patch = (app: App, { id }: Pick<Shelf, "id">, change: object) =>
  app.owner("PATCH", `/api/collections/${id}`, change)

describe("collections shared as a whole", () => {
  long(appTest)("are public through every change of them, and back", async (app) => {
    const make = async (name: string, parent?: number): Promise<Shelf> =>
      (await (await app.owner("POST", "/api/collections", { name, parent })).json()).collection
    const home = await make("Home")
    const recipes = await make("Recipes", home.id)
    const soups = await make("Soups", recipes.id)
    await fill(app, [
      link("key", "Home"),
      link("stock", "Home / Recipes"),
      link("miso", "Home / Recipes / Soups"),
      link("alone", "Home", true),
      link("free", null)
    ])
    const tokens: Array<string> = []
    const step = async (what: string, change: Promise<Response>) => {
      const answer = await change
      expect([what, answer.status]).toEqual([what, 200])
      tokens.push((await answer.json()).undo)
      await checked(app, what)
    }
    await checked(app, "nothing shared")
    await step("share", patch(app, recipes, { shareable: true, description: "Good" }))
    await step("rename", patch(app, recipes, { name: "Cooking" }))
    await step("rename around", patch(app, home, { name: "House" }))
    await step("move inner out", patch(app, soups, { parent: null }))
    await step("move it in again", patch(app, soups, { parent: recipes.id }))
    await step("move all", patch(app, recipes, { parent: null }))
    await step("share inner too", patch(app, soups, { shareable: true }))
    await step("unshare outer", patch(app, recipes, { shareable: false }))
    await step("merge the shared one away", patch(app, soups, { into: home.id }))
    await step("share again", patch(app, recipes, { shareable: true }))
    await step("delete", app.owner("DELETE", `/api/collections/${recipes.id}`))
    for (const [back, token] of tokens.toReversed().entries()) {
      const answer = await app.owner("POST", "/api/mutate", { op: "undo", token })
      expect([back, answer.status]).toEqual([back, 200])
      if (isLong) await checked(app, `undo ${back}`)
    }
    await checked(app, "all undone")
    expect((await jsonOf(app, "/list/api/links")).total).toBe(1)
  })

  long(appTest)("show and hide more links than one transaction changes", async (app) => {
    await fill(
      app,
      Array.from({ length: 230 }, (_, n) => link(`n${n}`, "Large", n % 50 === 0))
    )
    const [large] = await shelvesIn(app)
    if (large === undefined) throw new Error("there is no collection")
    const counts: Array<number> = []
    const step = async (what: string, change: Promise<Response>) => {
      const answer = await change
      expect([what, answer.status]).toEqual([what, 200])
      if (isLong) await checked(app, what)
      counts.push((await jsonOf(app, "/list/api/links?limit=1")).total)
      return (await answer.json()).undo
    }
    const token = await step("share", patch(app, large, { shareable: true }))
    const undone = await step("undo", app.owner("POST", "/api/mutate", { op: "undo", token }))
    await step("redo", app.owner("POST", "/api/mutate", { op: "undo", token: undone }))
    await step("delete", app.owner("DELETE", `/api/collections/${large.id}`))
    expect(counts).toEqual([230, 5, 230, 5])
  })

  long(appTest)(`are public in step after any changes (seed ${SEED})`, async (app) => {
    const random = randomOf(SEED)
    const pick = <A>(all: ReadonlyArray<A>): A | undefined => all[Math.floor(random() * all.length)]
    const paths = ["A", "A / B", "A / B / C", "D", "D / E", "F"]
    await fill(
      app,
      Array.from({ length: 18 }, (_, n) => link(`n${n}`, pick([...paths, null]) ?? null, n % 6 === 0))
    )
    const tokens: Array<string> = []
    let done = 0
    for (let turn = 0; turn < 60 * MORE; turn++) {
      const shelves = await shelvesIn(app)
      const shelf = pick(shelves)
      const other = pick(shelves)
      const ids = (await ownedIn(app)).filter(() => random() < 0.2).map(({ id }) => id)
      const id = ids[0]
      const mutate = (change: object) => app.owner("POST", "/api/mutate", change)
      const changes: ReadonlyArray<() => Promise<Response>> = [
        ...(shelf === undefined
          ? []
          : [
              () => patch(app, shelf, { shareable: !shelf.shareable }),
              () => patch(app, shelf, { shareable: random() < 0.5 }),
              () => patch(app, shelf, { name: pick(["A", "B", "G", "Ä", "D / E", "G / A / B"]) }),
              () => patch(app, shelf, { parent: pick([null, other?.id ?? null]) }),
              () => patch(app, shelf, { description: pick(["", "x", "y"]) }),
              () => patch(app, shelf, { into: other?.id }),
              () => app.owner("DELETE", `/api/collections/${shelf.id}`)
            ]),
        () => app.owner("POST", "/api/collections", { name: pick(["H", "A / H", "D / E / I"]) }),
        ...(id === undefined
          ? []
          : [
              () => mutate({ op: "collection", ids, collection: pick([other?.name ?? null, null]) }),
              () => mutate({ op: "shareable", ids: [id], shareable: random() < 0.5 }),
              () => mutate({ op: "state", ids, state: "archived" }),
              () => mutate({ op: "delete", ids: [id] })
            ]),
        () => mutate({ op: "undo", token: pick(tokens) ?? crypto.randomUUID(), force: random() < 0.7 }),
        () => mutate({ op: "undo", token: tokens.at(-1) ?? crypto.randomUUID() })
      ]
      const answer = await (pick(changes) ?? (() => mutate({})))()
      const body = await answer.json()
      expect([turn, answer.status < 500, body.message]).toEqual([turn, true, body.message])
      if (answer.ok) done++
      if (typeof body.undo === "string") tokens.push(body.undo)
      await checked(app, `turn ${turn}`)
    }
    expect(done).toBeGreaterThan(20)
  })
})
