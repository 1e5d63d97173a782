import { existsSync, rmSync, writeFileSync } from "node:fs"
import { Effect, Exit, Layer } from "effect"

/** Bytes for the index of the log (32 KiB), which SQLite must create to open a library, and for first writes. */
const SIZE = 64 * 1024

/**
 * Lets the service start on a full disk: a clean stop removes the log's index, and leaves a file of its size in its
 * place. Provide it to the database, so that the file goes before the database opens and comes after it has closed. A
 * start that is refused leaves the folder as it was.
 */
export const reserveLayer = (path: string) =>
  Layer.scopedDiscard(
    Effect.acquireRelease(
      Effect.sync(() => existsSync(path)).pipe(
        Effect.tap(() => Effect.ignore(Effect.try(() => rmSync(path, { force: true }))))
      ),
      // On a full disk, as many bytes as it takes are written.
      (existed, exit) =>
        existed || Exit.isInterrupted(exit)
          ? Effect.ignore(Effect.try(() => writeFileSync(path, Buffer.alloc(SIZE, 1), { mode: 0o600 })))
          : Effect.void
    )
  )
