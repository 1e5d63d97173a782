import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { type Author, CurrentAuthor } from "../../src/domain/Author.ts"
import { LinkId } from "../../src/domain/Link.ts"
import { Duplicates } from "../../src/library/Duplicates.ts"
import { EditCollections } from "../../src/library/EditCollections.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Embeddings } from "../../src/library/Embeddings.ts"
import { Jobs } from "../../src/library/Jobs.ts"
import { LargeChanges } from "../../src/library/LargeChanges.ts"
import { SaveLink } from "../../src/library/SaveLink.ts"
import { UndoAuthor } from "../../src/library/UndoAuthor.ts"
import { ChangeStore } from "../../src/store/links/ChangeStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { TrashStore } from "../../src/store/links/TrashStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { effectTest, libraryTest } from "../support/effect.ts"
import { addAll, cookies, offline, offlineAt } from "../support/libraryOf.ts"
import { newLink } from "../support/links.ts"
import { libraryPath } from "../support/places.ts"
import { requestOf } from "../support/saving.ts"
import { contents } from "../support/takeBack.ts"
import { byTier } from "../support/tier.ts"

const it = libraryTest(offline())

const PROGRAM: Author = "token:importer"
const by = (author: Author) => Effect.provideService(CurrentAuthor, author)
const byProgram = by(PROGRAM)

/** Runs the job and returns its result and token. */
const undoAll = Effect.fnUntraced(function* (dryRun = false, author: Author = PROGRAM) {
  const { id } = yield* (yield* UndoAuthor).start(author, { dryRun })
  const job = yield* (yield* Jobs).awaitEnd(id)
  if (job.action !== "undo" || job.result === null) return expect.unreachable(job.error ?? "no result")
  return { ...job.result, undo: job.undo }
})

/** Adds links without reading their pages. */
const fill = Effect.fnUntraced(function* (size: number) {
  const links = yield* LinkStore
  const transaction = yield* Transaction
  const all = Array.from({ length: size }, (_, n) => links.upsert(newLink(`${n}`)))
  return (yield* transaction(Effect.all(all))).map(({ link }) => link.id)
})

/** Runs what is queued for vectors. */
const atRest = Effect.flatMap(Embeddings, (embeddings) => embeddings.catchUp(() => Effect.void))

describe("the undo of all that a program did", () => {
  it("restores values, places, collections and the trash, and is undone itself", function* () {
    const [a = LinkId.make(0), b = a, c = a, d = a] = yield* addAll(cookies.slice(0, 4))
    const edits = yield* EditLinks
    const collections = yield* EditCollections
    yield* edits.change([a], { note: "mine" })
    yield* edits.trash([d])
    yield* atRest
    const before = yield* contents
    yield* byProgram(
      Effect.gen(function* () {
        yield* edits.change([a, b], { note: "theirs", tagging: { add: ["x"] } })
        yield* edits.change([a], { note: "theirs again" })
        yield* edits.change([b], { collection: "New / Inner" })
        yield* (yield* Duplicates).merge(a, [c])
        yield* edits.restore([d])
        yield* edits.change([d], { favorite: true })
      })
    )
    const after = yield* contents
    expect(yield* undoAll(true)).toMatchObject({
      author: PROGRAM,
      changes: 6,
      links: 4,
      skipped: 0,
      things: [],
      dryRun: true,
      undo: null
    })
    expect(yield* contents).toEqual(after)
    const done = yield* undoAll()
    expect(done).toMatchObject({ changes: 6, links: 4, skipped: 0, skippedLinks: [], things: [] })
    yield* atRest
    const trashed = ({ trash, ...rest }: Record<string, ReadonlyArray<unknown>>) => ({
      ...rest,
      trash: JSON.stringify(trash).replaceAll(/"deleted_at":"[^"]*"/g, "")
    })
    expect(trashed(yield* contents)).toEqual(trashed(before))
    expect((yield* collections.list).collections).toEqual([])
    // Nothing is left to undo, and the undo can be undone.
    expect(yield* undoAll()).toMatchObject({ changes: 0, links: 0, undo: null })
    yield* edits.undo(done.undo ?? "")
    expect((yield* (yield* LinkStore).get(b)).collection?.name).toBe("New / Inner")
    expect((yield* (yield* LinkStore).get(a)).note).toBe("theirs again")
  })

  it("keeps and lists what others have changed since, field by field", function* () {
    const [a = LinkId.make(0), b = a] = yield* addAll(cookies.slice(0, 2))
    const edits = yield* EditLinks
    const links = yield* LinkStore
    yield* byProgram(edits.change([a, b], { note: "one", favorite: true }))
    yield* edits.change([a], { note: "mine" })
    yield* byProgram(edits.change([a], { note: "two" }))
    yield* by("token:other")(edits.change([b], { note: "other" }))
    expect(yield* undoAll()).toMatchObject({
      changes: 2,
      links: 2,
      skipped: 2,
      skippedLinks: [
        { id: a, fields: ["note"] },
        { id: b, fields: ["note"] }
      ]
    })
    expect(yield* links.get(a)).toMatchObject({ note: "mine", favorite: false })
    expect(yield* links.get(b)).toMatchObject({ note: "other", favorite: false })
  })

  it("moves what it saved to the trash, and takes back what it added, but keeps what others have changed since", function* () {
    const save = yield* SaveLink
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const trash = yield* TrashStore
    const saved = (path: string, note: string, author: Author = PROGRAM) =>
      by(author)(
        Effect.map(save.upsert([requestOf(`https://example.org/${path}`, { note })]), ([claim]) =>
          claim === undefined ? LinkId.make(0) : claim.link.id
        )
      )
    const mine = yield* saved("mine", "one", "owner")
    const bin = yield* saved("bin", "", "owner")
    yield* edits.trash([bin])
    const [plain, edited, twice] = [
      yield* saved("plain", ""),
      yield* saved("edited", ""),
      yield* saved("twice", "first")
    ]
    yield* saved("twice", "second")
    yield* saved("mine", "theirs")
    yield* saved("bin", "")
    yield* byProgram(
      edits.change([plain], {
        note: "by it",
        collection: "Its"
      })
    )
    yield* edits.change([edited], { note: "mine now" })
    // Saving what says nothing new is no change.
    yield* saved("mine", "theirs")
    const changes = yield* ChangeStore
    expect((yield* changes.history(twice, 5)).map(({ author, kind }) => [author, kind])).toEqual([
      [PROGRAM, "edit"],
      [PROGRAM, "save"]
    ])
    const listed = yield* changes.list({ author: PROGRAM, limit: 10 })
    expect(listed.map(({ kind, links }) => [kind, links])).toEqual([
      ["edit", 1],
      ["restore", 1],
      ["edit", 1],
      ["edit", 1],
      ["save", 1],
      ["save", 1],
      ["save", 1]
    ])
    expect(yield* changes.list({ author: PROGRAM, before: listed[0]?.id, limit: 2 })).toEqual(
      listed.slice(1, 3)
    )
    const done = yield* undoAll()
    expect(done).toMatchObject({ changes: 7, skipped: 1, skippedLinks: [{ id: edited, fields: ["note"] }] })
    const ids = [mine, bin, plain, edited, twice]
    expect((yield* links.getAll(ids)).map(({ id, note }) => [id, note])).toEqual([
      [mine, "one"],
      [edited, "mine now"]
    ])
    expect((yield* trash.getAll(ids)).map(({ id }) => id)).toEqual([bin, plain, twice])
    yield* edits.undo(done.undo ?? "")
    expect((yield* links.getAll([twice, plain])).map(({ note }) => note)).toEqual(["first\nsecond", "by it"])
  })

  it("leaves its own undos, the owner's changes and what is too old", function* () {
    const [a = LinkId.make(0), b = a] = yield* addAll(cookies.slice(0, 2))
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const sql = yield* SqlClient.SqlClient
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    const { undo } = yield* byProgram(edits.change([a], { note: "one" }))
    yield* byProgram(edits.undo(undo))
    yield* edits.change([a], { note: "mine" })
    const old = yield* byProgram(edits.change([b], { note: "long ago" }))
    const recent = yield* byProgram(edits.change([b], { favorite: true }))
    yield* sql`UPDATE changes SET created_at = ${ago(31)} WHERE token = ${old.undo}`
    yield* sql`UPDATE changes SET created_at = ${ago(29)} WHERE token = ${recent.undo}`
    expect(yield* undoAll()).toMatchObject({ changes: 1, links: 1, skipped: 0 })
    expect(yield* links.get(a)).toMatchObject({ note: "mine" })
    expect(yield* links.get(b)).toMatchObject({ note: "long ago", favorite: false })
  })

  it("keeps an address that another link has by now", function* () {
    const [a = LinkId.make(0), b = a] = yield* addAll(cookies.slice(0, 2))
    const edits = yield* EditLinks
    const links = yield* LinkStore
    const { url } = yield* links.get(a)
    const moved = (id: LinkId, given: string) =>
      edits.changeAddress(id, { given, url: new URL(given) }, { note: "moved" })
    yield* byProgram(moved(a, "https://example.org/elsewhere"))
    yield* moved(b, url)
    expect(yield* undoAll()).toMatchObject({ skippedLinks: [{ id: a, fields: ["url"] }] })
    expect(yield* links.get(a)).toMatchObject({ url: "https://example.org/elsewhere", note: "" })
  })

  it("undoes thousands of changes", function* () {
    const COUNT = byTier(300, 5_000)
    const ids = yield* fill(COUNT)
    const changes = yield* ChangeStore
    const transaction = yield* Transaction
    const sql = yield* SqlClient.SqlClient
    const all = ids.map((id) => changes.apply({ fields: ["note"], links: [{ id, note: "theirs" }] }))
    yield* byProgram(transaction(Effect.all(all, { discard: true })))
    const began = performance.now()
    expect(yield* undoAll()).toMatchObject({ changes: COUNT, links: COUNT, skipped: 0 })
    if (process.env["SHOW_TIMES"])
      console.log(`${COUNT} changes: ${Math.round(performance.now() - began)} ms`)
    expect(yield* sql`SELECT 1 FROM links WHERE note <> ''`).toEqual([])
  })

  effectTest(Layer.empty)("is finished after a restart half-way", function* () {
    const library = offlineAt(yield* libraryPath)
    yield* Effect.gen(function* () {
      const changes = yield* ChangeStore
      const edits = yield* EditLinks
      const sql = yield* SqlClient.SqlClient
      yield* byProgram(edits.change(yield* fill(250), { note: "theirs" }))
      yield* (yield* LargeChanges).awaitPending
      yield* changes.undoAll(PROGRAM, "")
      const [change] = yield* changes.unfinished
      if (change === undefined) return expect.unreachable()
      const some = yield* changes.next(change, { most: 60 })
      yield* changes.edit(change, some)
      yield* changes.applied(change, some)
      expect((yield* sql`SELECT 1 FROM links WHERE note = ''`).length).toBe(60)
    }).pipe(Effect.provide(library), Effect.scoped)
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      expect((yield* sql`SELECT 1 FROM links WHERE note = ''`).length).toBe(250)
      expect(yield* sql`SELECT 1 FROM change_work`).toEqual([])
    }).pipe(Effect.provide(library), Effect.scoped)
  })
})
