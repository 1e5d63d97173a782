import { mkdir, rm, stat, statfs } from "node:fs/promises"
import { dirname } from "node:path"
import { FileSystem } from "@effect/platform"
import { BunFileSystem } from "@effect/platform-bun"
import { Context, Effect, Layer, Schema } from "effect"
import { saveStream } from "../../runtime/SaveStream.ts"
import { makeThread, type ThreadUnavailable } from "../../runtime/Thread.ts"
import { serveThread } from "../../runtime/ThreadWork.ts"
import { zipped } from "../../runtime/ZipFile.ts"
import { removeSecrets } from "./SecretRows.ts"
import { reasonOf, snapshotOf } from "./Snapshot.ts"

/** A library larger than this many times the limit is refused before it is read: no library shrinks so much. */
const MAX_RATIO = 20
/** Space in bytes that stays free on the disk, because the running library writes to it. */
const RESERVE = 256_000_000

/** No backup was made, and nothing of it remains. `detail` is for the log. */
export class NotPacked extends Schema.TaggedError<NotPacked>()("NotPacked", {
  reason: Schema.Literal("too-large", "no-space", "failed"),
  detail: Schema.String
}) {}

interface Order {
  readonly library: string
  /** Path of the zip to write. */
  readonly to: string
  readonly name: string
  /** Maximum size of the zip, in bytes. */
  readonly most: number
}

const failed = (cause: unknown) => new NotPacked({ reason: "failed", detail: reasonOf(cause) })
const reading = <A>(work: () => Promise<A>) => Effect.tryPromise({ try: work, catch: failed })

/** Refuses a library that does not fit, before a byte is written. */
const checkRoom = Effect.fnUntraced(function* ({
  library,
  most,
  to
}: Omit<Order, "most" | "name"> & { readonly most?: number }) {
  const { size } = yield* reading(() => stat(library))
  if (most !== undefined && size > most * MAX_RATIO)
    return yield* new NotPacked({ reason: "too-large", detail: `the library has ${size} bytes` })
  const needed = size + (most ?? 0) + RESERVE
  yield* reading(() => mkdir(dirname(to), { recursive: true, mode: 0o700 }))
  const { bavail, bsize } = yield* reading(() => statfs(dirname(to)))
  if (bavail * bsize < needed)
    return yield* new NotPacked({ reason: "no-space", detail: `${needed} bytes must be free` })
})

export class PackedBackup extends Context.Tag("PackedBackup")<
  PackedBackup,
  {
    /** Writes a copy to a new file, whose folder it makes; checks it, and returns the number of links in it. */
    readonly copy: (order: Pick<Order, "library" | "to">) => Effect.Effect<number, NotPacked>
    /** Without secrets, because others may read the chat; returns the number of links. Needs the library's space once more. */
    readonly write: (order: Order) => Effect.Effect<number, NotPacked>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(FileSystem.FileSystem, (fs) => ({
      copy: Effect.fn("PackedBackup.copy")(function* (order: Pick<Order, "library" | "to">) {
        yield* checkRoom(order)
        const { links } = yield* Effect.mapError(
          snapshotOf(order.library, order.to, { replace: false }),
          failed
        )
        return links
      }),
      write: Effect.fn("PackedBackup.write")(function* (given: Order) {
        const { library, most, name, to } = given
        yield* checkRoom(given)
        const copy = `${to}.copy`
        return yield* Effect.gen(function* () {
          const { links } = yield* Effect.mapError(snapshotOf(library, copy, { replace: true }), failed)
          yield* Effect.mapError(removeSecrets(copy, "chat"), failed)
          const zip = zipped(name)(fs.stream(copy, { chunkSize: 262_144 }))
          yield* Effect.mapError(saveStream(fs, zip, to, most), ({ reason }) =>
            reason === "too-large"
              ? new NotPacked({ reason, detail: `the zip has more than ${most} bytes` })
              : new NotPacked({ reason: "failed", detail: reason })
          )
          return links
        }).pipe(Effect.ensuring(Effect.promise(() => rm(copy, { force: true }).catch(() => {}))))
      })
    }))
  )
}

const inThread = { tag: PackedBackup, failure: NotPacked }

export const serveBackup = () => serveThread(inThread, Layer.provide(PackedBackup.layer, BunFileSystem.layer))

const TIMEOUT = "10 minutes"

/** Packs in a thread that ends with the backup, because copying takes seconds. `spawn` starts one with `serveBackup`. */
export const layer = (spawn: () => Worker) =>
  Layer.sync(PackedBackup, () => {
    const thread = makeThread(inThread, { name: "backup", spawn, most: 1, patience: TIMEOUT })
    const orFailed = <A>(answer: Effect.Effect<A, NotPacked | ThreadUnavailable>) =>
      Effect.catchTag(
        answer,
        "ThreadUnavailable",
        ({ detail = "", reason }) => new NotPacked({ reason: "failed", detail: `${reason} ${detail}`.trim() })
      )
    return {
      copy: (order) => orFailed(Effect.scoped(Effect.flatMap(thread, ({ ask }) => ask("copy", order)))),
      write: (order) => orFailed(Effect.scoped(Effect.flatMap(thread, ({ ask }) => ask("write", order))))
    }
  })
