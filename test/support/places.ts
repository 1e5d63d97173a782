import { afterAll } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Logger } from "effect"
import * as Database from "../../src/store/Database.ts"

/** Runs the effect and drops its log. */
export const quiet = <A, E>(work: Effect.Effect<A, E>) =>
  Effect.runPromise(Effect.provide(work, Logger.remove(Logger.defaultLogger)))

/** Opens the library as the service does, and closes it. */
export const opening = (file: string) => Effect.scoped(Effect.provide(Effect.void, Database.layer(file)))
export const open = (file: string) => quiet(opening(file))

/** A folder that is removed after the tests of a file, and new folders for libraries in it. */
export const makePlaces = (name: string) => {
  const root = mkdtempSync(join(tmpdir(), `linkbower-${name}-`))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  let folders = 0
  const place = () => {
    const folder = join(root, String(folders++))
    mkdirSync(folder)
    return { folder, file: join(folder, "library.db") }
  }
  return { root, place }
}

/** The path of a library in a folder that is removed with the scope. */
export const libraryPath = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "linkbower-library-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
).pipe(Effect.map((folder) => join(folder, "library.db")))
