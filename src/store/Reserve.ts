import { rmSync, writeFileSync } from "node:fs"
import { Effect, Layer } from "effect"

/** Bytes for the index of the log (32 KiB), which SQLite must create to open a library, and for first writes. */
const SIZE = 64 * 1024

/**
 * Lets the service start on a full disk: a clean stop removes the log's index, and leaves a file of its size in its
 * place. Provide it to the database, so that the file goes before the database opens and comes after it has closed.
 */
export const reserveLayer = (path: string) =>
  Layer.scopedDiscard(
    Effect.acquireRelease(
      Effect.ignore(Effect.try(() => rmSync(path, { force: true }))),
      // On a full disk, as many bytes as it takes are written.
      () => Effect.ignore(Effect.try(() => writeFileSync(path, Buffer.alloc(SIZE, 1), { mode: 0o600 })))
    )
  )
