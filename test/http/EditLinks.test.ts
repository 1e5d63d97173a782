import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { Link } from "../../src/domain/Link.ts"
import { LargeChanges } from "../../src/library/LargeChanges.ts"
import { MAX_NOTE } from "../../src/shared/Limits.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { type App, appTests } from "../support/app.ts"
import { newLink } from "../support/links.ts"

const appTest = appTests()

const mutate = async (app: App, body: unknown) => {
  const response = await app.owner("POST", "/api/mutate", body)
  return { status: response.status, ...(await response.json()) }
}
const link = async (app: App, id = 1): Promise<Link> =>
  (await (await app.owner("GET", `/api/links/some?ids=${id}`)).json()).links[0]
const detail = async (app: App, id: number | string) => {
  const response = await app.owner("GET", `/api/links/${id}`)
  return { status: response.status, ...(await response.json()) }
}
const refreshed = async (app: App, id = 1) => app.ended(await app.start({ action: "refresh", id }))

/** A test on its own app with links that were captured. */
const savedTest = (name: string, titles: ReadonlyArray<string>, body: (app: App) => Promise<void>) =>
  appTest(name, async (app) => {
    for (const title of titles)
      await app.capture({ url: `https://example.org/${title}?t=${title}`, note: `about ${title}` })
    await body(app)
  })

/** Adds links that no source is asked about. */
const fill = (app: App, size: number) =>
  app.run(
    Effect.gen(function* () {
      const links = yield* LinkStore
      const transaction = yield* Transaction
      const all = Array.from({ length: size }, (_, n) => links.upsert(newLink(`${n}`, { tags: ["old"] })))
      return yield* Effect.map(transaction(Effect.all(all)), (claimed) => claimed.map((one) => one.link.id))
    })
  )

describe("POST /dashboard/api/mutate", () => {
  savedTest("edits all of a link at once, and takes it back at once", ["Alpha"], async (app) => {
    const before = await link(app)
    const edited = await mutate(app, {
      op: "edit",
      ids: [1],
      title: " Mine ",
      summary: "In my words.",
      note: " Two\nlines ",
      tags: ["C++", ".Private", "c++", " "],
      url: " https://example.com/new#part "
    })
    const after = {
      title: "Mine",
      summary: "In my words.",
      note: "Two\nlines",
      tags: ["cpp", ".private"],
      url: "https://example.com/new#part",
      host: "example.com"
    }
    expect(edited).toMatchObject({ status: 200, links: [after] })
    await refreshed(app)
    expect(await link(app)).toMatchObject(after)
    // A refresh changes nothing that the owner has set, so it does not stand in the way.
    const back = await mutate(app, { op: "undo", token: edited.undo })
    // What was known about the page was known of the other address.
    const { check: _check, updatedAt: _updatedAt, ...was } = before
    expect(back).toMatchObject({ status: 200, links: [{ ...was, enrichment: "complete" }] })
    expect(await mutate(app, { op: "undo", token: back.undo })).toMatchObject({ links: [after] })
  })

  savedTest("adds, removes and sets tags", ["Alpha", "Beta"], async (app) => {
    const first = await mutate(app, {
      op: "tags",
      ids: [1, 2],
      add: ["Web Dev", "#rust"],
      remove: ["some tag"]
    })
    expect(first.links.map(({ tags }: Link) => tags)).toEqual([
      ["web-dev", "rust"],
      ["web-dev", "rust"]
    ])
    await refreshed(app)
    expect((await link(app)).tags).toEqual(["web-dev", "rust"])
    expect((await mutate(app, { op: "tags", ids: [2], set: [] })).links[0].tags).toEqual([])
    expect(await mutate(app, { op: "undo", token: first.undo })).toMatchObject({
      status: 409,
      error: "changed_since",
      fields: ["tags"],
      message: "The tags of 1 of 2 links have been changed since then. Undoing would overwrite that."
    })
    await mutate(app, { op: "undo", token: first.undo, force: true })
    expect([(await link(app, 1)).tags, (await link(app, 2)).tags]).toEqual([["some-tag"], ["some-tag"]])
    for (const body of [
      { op: "tags", ids: [1] },
      { op: "tags", ids: [1], add: "rust" },
      { op: "tags", ids: [1], add: ["x".repeat(101)] },
      { op: "tags", ids: [1], add: Array.from({ length: 101 }, (_, n) => `t${n}`) }
    ])
      expect(await mutate(app, body)).toMatchObject({ status: 400, error: "bad_request" })
    expect(await mutate(app, { op: "tags", ids: [1, 99], add: ["x"] })).toMatchObject({ status: 404 })
    expect((await link(app)).tags).toEqual(["some-tag"])
  })

  appTest("edits many links: tags, notes and refusals, each with its undo", async (app) => {
    // More than a response reads at a time.
    const ids = await fill(app, 251)
    const all = async () => {
      const { links } = await (await app.owner("GET", "/api/links?sort=oldest&limit=1000")).json()
      return new Set(
        links.map(({ collection, note, tags }: Link) => [tags.join(), note, collection?.name].join("|"))
      )
    }
    const tags = await mutate(app, { op: "tags", ids, add: ["new"], remove: ["old"] })
    expect(tags.links.map(({ id }: Link) => id)).toEqual(ids)
    const note = await mutate(app, { op: "note", ids, note: " for all " })
    expect(await all()).toEqual(new Set(["new|for all|"]))
    await mutate(app, { op: "collection", ids, collection: "Here" })
    const refused = await mutate(app, { op: "refuse", ids })
    expect(await all()).toEqual(new Set(["new|for all|"]))
    await mutate(app, { op: "undo", token: refused.undo })
    expect(await all()).toEqual(new Set(["new|for all|Here"]))
    await mutate(app, { op: "undo", token: note.undo })
    const redo = await mutate(app, { op: "undo", token: tags.undo })
    expect(await all()).toEqual(new Set(["old||Here"]))
    await mutate(app, { op: "undo", token: redo.undo })
    expect(await all()).toEqual(new Set(["new||Here"]))
    await app.run(Effect.flatMap(LargeChanges, (large) => large.awaitPending))
  })

  savedTest("bounds a note, also over many links", ["Alpha"], async (app) => {
    expect(await mutate(app, { op: "note", ids: [1], note: "x".repeat(MAX_NOTE) })).toMatchObject({
      status: 200
    })
    expect(await mutate(app, { op: "note", ids: [1], note: "x".repeat(MAX_NOTE + 1) })).toMatchObject({
      status: 400
    })
    const ids = Array.from({ length: 1_001 }, (_, n) => n + 1)
    expect(await mutate(app, { op: "note", ids, note: "x".repeat(MAX_NOTE) })).toMatchObject({
      status: 400,
      message: expect.stringContaining("too long for so many links")
    })
  })

  savedTest("changes an address, unless another link has it", ["Alpha", "Beta"], async (app) => {
    const taken = await mutate(app, {
      op: "url",
      ids: [1],
      url: "https://example.org/Beta/?t=Beta&utm_source=x"
    })
    expect(taken).toEqual({
      status: 409,
      error: "url_taken",
      message: "Link #2 already has this address.",
      id: 2
    })
    await mutate(app, { op: "delete", ids: [2] })
    expect(
      await mutate(app, { op: "edit", ids: [1], note: "x", url: "https://example.org/Beta?t=Beta" })
    ).toMatchObject({
      status: 409,
      id: 2
    })
    expect((await link(app)).note).toBe("about Alpha")
    for (const url of ["example.org", "ftp://example.org/", "javascript:alert(1)", "https://", " "])
      expect(await mutate(app, { op: "url", ids: [1], url })).toMatchObject({ status: 400 })
    expect(await mutate(app, { op: "url", ids: [1, 2], url: "https://example.org/x" })).toMatchObject({
      status: 400
    })
    expect(await mutate(app, { op: "url", ids: [77], url: "https://example.org/x" })).toMatchObject({
      status: 404
    })
    const moved = await mutate(app, { op: "url", ids: [1], url: "https://example.org/Gamma" })
    expect(moved).toMatchObject({
      status: 200,
      links: [{ url: "https://example.org/Gamma", title: "Alpha" }]
    })
    // The old address is free: saving it makes another link, and then the change cannot be undone.
    await app.capture({ url: "https://example.org/Alpha?t=Alpha" })
    expect(await mutate(app, { op: "undo", token: moved.undo })).toMatchObject({
      status: 409,
      error: "url_taken",
      id: 3
    })
    expect(await mutate(app, { op: "undo", token: moved.undo, force: true })).toMatchObject({ status: 409 })
  })
})

describe("GET /dashboard/api/links/{id}", () => {
  savedTest("returns all of a link", ["Alpha", "Beta"], async (app) => {
    await mutate(app, { op: "note", ids: [1], note: "one" })
    await mutate(app, { op: "tags", ids: [1], set: ["mine"] })
    const { undo } = await mutate(app, { op: "note", ids: [1, 2], note: "two" })
    const found = await detail(app, 1)
    expect(found).toMatchObject({
      status: 200,
      link: { id: 1, title: "Alpha", note: "two", type: "page" },
      text: "",
      handTags: ["mine"],
      byHand: ["tags"],
      history: [
        { token: undo, kind: "edit", fields: ["note"], author: "owner", undoable: true },
        { fields: ["tags"], undoable: true },
        { fields: ["note"], undoable: false }
      ]
    })
    expect(found.link.stages).toEqual([
      { stage: "page", state: "done", reason: null },
      { stage: "model", state: "done", reason: null }
    ])
    expect(Date.parse(found.history[0].at)).toBeGreaterThan(Date.now() - 60_000)
    // The other link's tag is the only one in use that it lacks.
    expect(found.likelyTags).toEqual(["some-tag"])
    expect((await detail(app, 2)).likelyTags).toEqual(["mine"])
  })

  savedTest(
    "is 404 for a link that is not there or in the trash, 400 for no number",
    ["Alpha"],
    async (app) => {
      expect(await detail(app, 2)).toEqual({
        status: 404,
        error: "not_found",
        message: "There is no link #2."
      })
      expect(await detail(app, "x")).toMatchObject({ status: 400, error: "bad_request" })
      await mutate(app, { op: "delete", ids: [1] })
      expect(await detail(app, 1)).toMatchObject({ status: 404 })
    }
  )
})
