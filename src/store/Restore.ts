import { readdirSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { DateTime, Effect, Option } from "effect"
import { dataFolder } from "./DataFolder.ts"
import { Lock } from "./Lock.ts"
import { putInPlace } from "./PutInPlace.ts"
import { snapshotOf } from "./Snapshot.ts"
import { mark } from "./Soundness.ts"

/** A name beside the library that says when and why it was put aside; such names sort by time. */
export const asideName = (folder: string, before: "reindex" | "restore") =>
  Effect.map(DateTime.now, (now) => {
    const time = DateTime.formatIso(now).replaceAll(/[:.]/g, "-")
    return join(folder, `library-before-${before}-${time}.db`)
  })

/**
 * Puts a copy of the sound library `file` in the place of the one in the folder of the lock. Gives what is in it, and
 * where the earlier one is kept, if there was one. Pictures and files that are being taken in belong to the earlier one.
 */
export const restore = Effect.fn("Restore.restore")(function* (file: string) {
  const { folder } = yield* Lock
  const at = dataFolder(folder)
  const beside = `${at.library}.restoring`
  const isLeft = (name: string) => name.startsWith(basename(beside))
  const sweep = Effect.sync(() => {
    for (const name of readdirSync(folder).filter(isLeft)) rmSync(join(folder, name), { force: true })
  })
  const aside = yield* asideName(folder, "restore")

  yield* sweep
  return yield* Effect.gen(function* () {
    const restored = yield* snapshotOf(file, beside, { replace: true })
    const wasThere = yield* putInPlace(beside, at.library, aside)
    yield* mark(at.library)
    yield* Effect.sync(() => {
      for (const path of [at.images, at.imports]) rmSync(path, { recursive: true, force: true })
    })
    return { restored, aside: wasThere ? Option.some(aside) : Option.none() }
  }).pipe(Effect.ensuring(sweep))
})
