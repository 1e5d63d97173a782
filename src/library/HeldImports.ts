import { Data, Duration, Effect, Option, type Stream } from "effect"
import { Service } from "../runtime/Services.ts"
import { every } from "../runtime/WorkLoop.ts"
import { HeldImportStore, type NumberedImport } from "../store/transfer/HeldImportStore.ts"
import { FormatError } from "../transfer/Format.ts"
import { ImportLinks } from "./ImportLinks.ts"
import { ImportWriter } from "./ImportWriter.ts"
import { Jobs } from "./Jobs.ts"

export const MAX_HELD = 5
const KEEP_HELD = Duration.days(1)
const EXPIRY_INTERVAL = Duration.hours(1)

export class TooManyHeld extends Data.TaggedError("TooManyHeld") {}

/** Imported, discarded or dropped. */
export class HeldGone extends Data.TaggedError("HeldGone") {}

const make = Effect.gen(function* () {
  const imports = yield* ImportLinks
  const jobs = yield* Jobs
  const store = yield* HeldImportStore
  const writer = yield* ImportWriter
  const reading = yield* Effect.makeSemaphore(1)
  const answering = yield* Effect.makeSemaphore(1)

  const drop = ({ file, id }: NumberedImport) => Effect.zipRight(store.remove(id), imports.remove(file))

  const find = Effect.fnUntraced(function* (id: number) {
    const held = Option.getOrUndefined(yield* store.get(id))
    return held ?? (yield* new HeldGone())
  })

  return {
    /** Saves and reads files, one after another. A file whose `key` is held already is not read again. */
    hold: Effect.fn("HeldImports.hold")(function* <E>({
      bytes,
      key,
      most,
      name
    }: {
      readonly key: string
      readonly name: string
      readonly most: number
      readonly bytes: Stream.Stream<Uint8Array, E>
    }) {
      const before = Option.getOrUndefined(yield* store.byKey(key))
      if (before !== undefined) return before
      if ((yield* store.countWaiting) >= MAX_HELD) return yield* new TooManyHeld()
      const file = yield* imports.save(bytes, most)
      return yield* Effect.gen(function* () {
        const { known, plan } = yield* writer.preview({ path: imports.pathOf(file), name })
        const { format, found, rejected, repeated } = plan
        if (found === rejected) return yield* new FormatError({ message: "The file has no links." })
        const held = {
          key,
          file,
          name,
          format,
          links: found - rejected - repeated,
          known,
          rejected,
          job: null
        }
        return { ...held, id: yield* store.add(held) }
      }).pipe(Effect.onError(() => imports.remove(file)))
    }, reading.withPermits(1)),
    /** Returns the started job; it waits for the imports before it. */
    confirm: Effect.fn("HeldImports.confirm")(
      function* (id: number) {
        const { file, job, links, name } = yield* find(id)
        if (job !== null) return yield* Effect.mapError(jobs.get(job), () => new HeldGone())
        if (!(yield* imports.has(file))) {
          yield* store.remove(id)
          return yield* new HeldGone()
        }
        // If the program ends between the two, the next start finds the file's job (`ImportLinks.resume`).
        const started = yield* imports.startSaved(file, {
          name,
          later: false,
          keepShared: false,
          total: links
        })
        yield* store.started(id, started.id)
        return started
      },
      Effect.uninterruptible,
      answering.withPermits(1)
    ),
    /** Fails if the file was imported or dropped. */
    discard: Effect.fn("HeldImports.discard")(function* (id: number) {
      const held = yield* find(id)
      if (held.job !== null) return yield* new HeldGone()
      yield* drop(held)
    }, answering.withPermits(1)),
    /** Drops files that have waited too long. */
    run: store.waitingFor(KEEP_HELD).pipe(
      Effect.flatMap((old) => Effect.forEach(old, drop, { discard: true })),
      answering.withPermits(1),
      (expire) => every(EXPIRY_INTERVAL, "dropping old import files", expire)
    )
  }
})

/** Keeps files of links until the owner decides whether to import them: for a day, across restarts, at most five. */
export class HeldImports extends Service<HeldImports>()("HeldImports", make) {}
