import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync
} from "node:fs"
import { dirname, resolve } from "node:path"
import { Data, Effect } from "effect"
import { type Inspection, inspectQuickly, readingLibrary } from "./Inspection.ts"

/** A copy of the library could not be made; nothing was left of it. */
export class NotCopied extends Data.TaggedError("NotCopied")<{
  readonly file: string
  readonly reason: string
}> {
  override get message() {
    return `${this.file} could not be written: ${this.reason}.`
  }
}

/** The sentence at the bottom of a failure, without its full stop. */
export const reasonOf = (cause: unknown): string =>
  cause instanceof Error && cause.cause instanceof Error
    ? reasonOf(cause.cause)
    : cause instanceof Error
      ? cause.message.replace(/\.$/, "")
      : String(cause)

/** Has the disk keep what was written to a file or of a folder. */
export const sync = (path: string) => {
  const handle = openSync(path, "r")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * Writes a copy of a library to `file`, readable by its owner alone, and gives what is in it. `vacuumInto` has SQLite
 * write it to another path first (`VACUUM INTO`); only when it was found sound, and the disk has it, does it get its
 * name. A file of that name is replaced in that moment, or not at all.
 */
export const writeSnapshot = Effect.fn("Snapshot.write")(function* <E>(
  file: string,
  vacuumInto: (path: string) => Effect.Effect<unknown, E>,
  { replace }: { readonly replace: boolean }
) {
  const refused = (cause: unknown) => new NotCopied({ file, reason: reasonOf(cause) })
  const trying = <A>(work: () => A) => Effect.try({ try: work, catch: refused })
  const free = Effect.suspend(() =>
    !replace && existsSync(file)
      ? Effect.fail(refused("there is such a file already, and `--force` replaces it"))
      : Effect.void
  )
  const beside = `${file}.${crypto.randomUUID()}.tmp`

  const write = Effect.gen(function* () {
    // SQLite takes an empty file for its own, and leaves its mode.
    yield* trying(() => closeSync(openSync(beside, "wx", 0o600)))
    yield* vacuumInto(beside)
    const made = yield* Effect.mapError(inspectQuickly(beside), refused)
    yield* trying(() => sync(beside))
    yield* free
    yield* trying(() => {
      renameSync(beside, file)
      sync(dirname(resolve(file)))
    })
    return { ...made, bytes: statSync(file).size } satisfies Inspection
  })

  yield* free
  return yield* Effect.ensuring(
    write,
    Effect.sync(() => {
      for (const path of [beside, `${beside}-journal`]) rmSync(path, { force: true })
    })
  )
})

/** The same of the library in the file `library`, which may be in use. */
export const snapshotOf = (library: string, file: string, options: { readonly replace: boolean }) =>
  writeSnapshot(
    file,
    (path) =>
      readingLibrary(library, (ask) =>
        // A second look at a library somebody began to write begins with an empty file again.
        Effect.zipRight(
          Effect.sync(() => truncateSync(path)),
          Effect.catchTag(ask("VACUUM INTO ?", path), "LibraryUnreadable", ({ reason }) =>
            Effect.fail(new NotCopied({ file, reason }))
          )
        )
      ),
    options
  )
