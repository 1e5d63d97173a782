import { existsSync, statSync, truncateSync } from "node:fs"
import { Data, Effect } from "effect"
import { FileNotReplaced, replaceFile } from "../../runtime/ReplaceFile.ts"
import { type Inspection, queryLibrary, quickInspect } from "./Inspection.ts"

/** A copy of the library could not be made; nothing of it remains. */
export class NotCopied extends Data.TaggedError("NotCopied")<{
  readonly file: string
  readonly reason: string
}> {
  override get message() {
    return `${this.file} could not be written: ${this.reason}.`
  }
}

export const reasonOf = (cause: unknown): string =>
  cause instanceof Error && cause.cause instanceof Error
    ? reasonOf(cause.cause)
    : cause instanceof Error
      ? cause.message.replace(/\.$/, "")
      : String(cause)

/** `VACUUM INTO` a temporary path, inspected, synced and renamed; `replace` allows an existing file. Returns the inspection. */
export const writeSnapshot = Effect.fn("Snapshot.write")(function* <E>(
  file: string,
  vacuumInto: (path: string) => Effect.Effect<unknown, E>,
  { replace }: { readonly replace: boolean }
) {
  const refused = (reason: string) => new NotCopied({ file, reason })
  const isTaken = refused("the file already exists, and `--force` replaces it")
  // Check before the work too, because it takes a while.
  if (!replace && existsSync(file)) return yield* isTaken
  const write = (temporary: string) =>
    Effect.zipRight(
      vacuumInto(temporary),
      Effect.mapError(quickInspect(temporary), (error) => refused(reasonOf(error)))
    )
  const made = yield* Effect.catchIf(
    replaceFile(file, write, { replace }),
    (error) => error instanceof FileNotReplaced,
    ({ code, reason }) => Effect.fail(code === "EEXIST" ? isTaken : refused(reason))
  )
  return { ...made, bytes: statSync(file).size } satisfies Inspection
})

export const snapshotOf = (library: string, file: string, options: { readonly replace: boolean }) =>
  writeSnapshot(
    file,
    (path) =>
      queryLibrary(library, (ask) =>
        // The read runs again if another process began to write, and then needs an empty file again.
        Effect.zipRight(
          Effect.sync(() => truncateSync(path)),
          Effect.catchTag(ask("VACUUM INTO ?", path), "LibraryUnreadable", ({ reason }) =>
            Effect.fail(new NotCopied({ file, reason }))
          )
        )
      ),
    options
  )
