import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Duration, Effect, Layer } from "effect"
import { ArchiveError, WaybackMachine } from "../../src/enrich/archive/WaybackMachine.ts"
import { ArchiveLinks, MAX_SUBMISSIONS } from "../../src/library/ArchiveLinks.ts"
import { Tasks } from "../../src/library/Tasks.ts"
import { AT_ONCE, TaskStore } from "../../src/store/jobs/TaskStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { libraryTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { newLink } from "../support/links.ts"
import { withSettings } from "../support/loopback.ts"

const submitted: Array<string> = []
let failure: ArchiveError | undefined
const wayback = Layer.succeed(WaybackMachine, {
  mayKnow: ({ pathname }) => Effect.succeed(pathname !== "/secret"),
  nearest: () => Effect.succeedNone,
  submit: (url) =>
    Effect.suspend(() => {
      submitted.push(url.pathname)
      return failure === undefined ? Effect.void : Effect.fail(failure)
    })
})
const it = libraryTest(
  Layer.effect(ArchiveLinks, ArchiveLinks.make).pipe(
    Layer.provide(Layer.effect(Tasks, Tasks.make)),
    Layer.provideMerge(Layer.merge(stores(), wayback))
  )
)
const on = withSettings({ ARCHIVE_SUBMIT: "on" })

/** Queues links at these paths, whose pages were read. */
const queued = Effect.fnUntraced(function* (...paths: ReadonlyArray<string>) {
  submitted.length = 0
  failure = undefined
  const [links, tasks, sql] = [yield* LinkStore, yield* TaskStore, yield* SqlClient.SqlClient]
  const ids = yield* Effect.forEach(paths, (path) =>
    Effect.map(links.upsert(newLink(path)), ({ link }) => link.id)
  )
  yield* sql`UPDATE link_checks SET state = 'ok'`
  yield* tasks.add("archive", ids, AT_ONCE)
  return ids
})

const waiting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT subject, attempts FROM tasks WHERE kind = 'archive'`
})

describe("ArchiveLinks", () => {
  it("submits one link a round, and each once", function* () {
    yield* queued("a", "b")
    const archive = yield* ArchiveLinks
    expect(yield* on(archive.due)).toEqual(Duration.minutes(1))
    expect(submitted).toHaveLength(1)
    for (let n = 0; n < 3; n++) yield* on(archive.due)
    expect(submitted.toSorted()).toEqual(["/a", "/b"])
  })

  it("drops links that nobody may know, and pages that were not read", function* () {
    const [, unread] = yield* queued("secret", "unread")
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE link_checks SET state = 'unknown' WHERE link_id = ${unread ?? 0}`
    const archive = yield* ArchiveLinks
    for (let n = 0; n < 3; n++) yield* on(archive.due)
    expect(submitted).toEqual([])
    expect(yield* waiting).toEqual([])
  })

  it("tries three times, later", function* () {
    const [id] = yield* queued("a")
    failure = new ArchiveError({ reason: "status", status: 429, pause: Duration.minutes(5) })
    const [archive, sql] = [yield* ArchiveLinks, yield* SqlClient.SqlClient]
    expect(yield* on(archive.due)).toEqual(Duration.minutes(5))
    expect(yield* waiting).toEqual([{ subject: id, attempts: 1 }])
    yield* on(archive.due)
    expect(submitted).toHaveLength(1)
    for (let n = 0; n < 3; n++) {
      yield* sql`UPDATE tasks SET due_at = 0 WHERE kind = 'archive'`
      yield* on(archive.due)
    }
    expect(submitted).toHaveLength(3)
    expect(yield* waiting).toEqual([])
  })

  it("submits nothing while it is off, and nothing of that later", function* () {
    yield* queued("a")
    const archive = yield* ArchiveLinks
    yield* archive.due.pipe(withSettings({}))
    yield* on(archive.due)
    expect(submitted).toEqual([])
  })

  it("is bounded, and forgets links that are deleted", function* () {
    const [id] = yield* queued("a")
    const [tasks, links, sql] = [yield* TaskStore, yield* LinkStore, yield* SqlClient.SqlClient]
    if (id !== undefined) yield* links.remove([id])
    expect(yield* waiting).toEqual([])
    yield* sql`INSERT INTO tasks (kind, subject, due_at)
      WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 1999) SELECT 'archive', i, 0 FROM n`
    const [other] = yield* Effect.map(links.upsert(newLink("b")), ({ link }) => [link.id])
    if (other !== undefined) yield* tasks.add("archive", [other], AT_ONCE, MAX_SUBMISSIONS)
    expect(yield* waiting).toHaveLength(1_000)
  })
})
