import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { FileSystem } from "@effect/platform"
import { SqlClient, SqlSchema } from "@effect/sql"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { Setting } from "../../config/Configuration.ts"
import type { LinkId } from "../../domain/Link.ts"
import { type Picture, type PictureKind, pictureOf } from "../../domain/Picture.ts"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { dataFolder } from "../DataFolder.ts"
import { orUnavailable } from "../Transaction.ts"

const Removal = Schema.Struct({
  id: Schema.Int,
  kind: Schema.Literal("image", "favicon"),
  address: Schema.String
})

/** An address that a link no longer has, for it was deleted or names another picture. */
export type Removal = typeof Removal.Type

/** A picture's address, and that of the link that names it. */
interface NamedPicture {
  readonly address: string
  readonly page: string
}

/** Which pictures links name, and which they have ceased to name. */
export class ImageStore extends Context.Tag("ImageStore")<
  ImageStore,
  {
    /** A link's picture and the link's own address; none where there is no such link, or it names no picture. */
    readonly addressOf: (kind: PictureKind, id: LinkId) => Effect.Effect<Option.Option<NamedPicture>>
    /** What is to be removed, the oldest first. */
    readonly removals: (limit: number) => Effect.Effect<ReadonlyArray<Removal>>
    /** Forgets these removals, once nothing is left of what they name. */
    readonly removed: (removals: ReadonlyArray<Removal>) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const oldest = SqlSchema.findAll({
        Request: Schema.Int,
        Result: Removal,
        execute: (limit) => sql`SELECT id, kind, address FROM image_removals ORDER BY id LIMIT ${limit}`
      })
      return {
        addressOf: Effect.fn("ImageStore.addressOf")(function* (kind, id) {
          const [row] = yield* Effect.orDie(
            sql<NamedPicture>`SELECT ${sql(kind)} AS address, url AS page FROM links
              WHERE id = ${id} AND ${sql(kind)} IS NOT NULL`
          )
          return Option.fromNullable(row)
        }),
        removals: Effect.fn("ImageStore.removals")((limit) => Effect.orDie(oldest(limit))),
        removed: Effect.fn("ImageStore.removed")((removals) =>
          orUnavailable(
            sql`DELETE FROM image_removals
              WHERE id IN (SELECT value FROM json_each(${JSON.stringify(removals.map(({ id }) => id))}))`
          )
        )
      }
    })
  )
}

/** How many bytes of pictures are kept. */
const MAX_BYTES = 256 * 1024 * 1024

/** The file of an address: a name that tells nothing of it. */
const nameOf = (kind: PictureKind, address: string) =>
  new Bun.CryptoHasher("sha256").update(`${kind} ${address}`).digest("hex")

const isOurs = (name: string) => /^[0-9a-f]{64}(\.[0-9a-f-]{36}\.tmp)?$/.test(name)

interface Entry {
  readonly name: string
  readonly size: number
  /** Milliseconds since 1970. */
  readonly used: number
}

/** Pictures in `folder`, which is made when the first is kept; `maxBytes` of them after each `prune`. */
export const imageFiles = Effect.fnUntraced(function* (folder: string, maxBytes: number) {
  const fs = yield* FileSystem.FileSystem
  const pathOf = (name: string) => join(folder, name)
  // What is being written bears the name of the run that writes it: another's was left by a crash.
  const unfinished = `.${randomUUID()}.tmp`
  const isAbandoned = (name: string) => name.endsWith(".tmp") && !name.endsWith(unfinished)
  let written = Number.POSITIVE_INFINITY

  const entry = (name: string) =>
    Effect.option(
      Effect.map(
        fs.stat(pathOf(name)),
        ({ mtime, size }): Entry => ({
          name,
          size: Number(size),
          used: Option.match(mtime, { onNone: () => 0, onSome: (time) => time.getTime() })
        })
      )
    )

  const keep = Effect.fnUntraced(function* (name: string, bytes: Uint8Array) {
    const beside = pathOf(name + unfinished)
    yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
    yield* Effect.zipRight(
      fs.writeFile(beside, bytes, { mode: 0o600 }),
      fs.rename(beside, pathOf(name))
    ).pipe(Effect.onError(() => Effect.ignore(fs.remove(beside, { force: true }))))
    written += bytes.length
  })

  return {
    read: Effect.fn("ImageFiles.read")(function* (kind: PictureKind, address: string) {
      const path = pathOf(nameOf(kind, address))
      const picture = Option.flatMap(yield* Effect.option(fs.readFile(path)), (bytes) =>
        pictureOf(kind, bytes)
      )
      const now = DateTime.toDate(yield* DateTime.now)
      if (Option.isSome(picture)) yield* Effect.ignore(fs.utimes(path, now, now))
      return picture
    }),
    write: Effect.fn("ImageFiles.write")((kind: PictureKind, address: string, { bytes }: Picture) =>
      Effect.catchAll(keep(nameOf(kind, address), bytes), (error) =>
        Effect.logWarning(
          `a picture could not be kept: ${error._tag === "SystemError" ? error.reason : error._tag}`
        )
      )
    ),
    remove: Effect.fn("ImageFiles.remove")((kind: PictureKind, address: string) =>
      Effect.orDie(fs.remove(pathOf(nameOf(kind, address)), { force: true }))
    ),
    prune: Effect.gen(function* () {
      // So little more than there was is not worth a look at every file.
      if (written < maxBytes / 32) return
      written = 0
      const names = yield* Effect.orElseSucceed(fs.readDirectory(folder), () => [])
      const found = yield* Effect.forEach(names.filter(isOurs), entry, { concurrency: 4 })
      const entries = found.flatMap(Option.toArray).sort((a, b) => a.used - b.used)
      let left = entries.reduce((sum, { size }) => sum + size, 0)
      for (const { name, size } of entries) {
        if (left <= maxBytes && !isAbandoned(name)) continue
        yield* Effect.ignore(fs.remove(pathOf(name), { force: true }))
        left -= size
      }
    }).pipe(Effect.withSpan("ImageFiles.prune"))
  }
})

/** Keeps pictures on disk, the least recently used ones going first. All of it may be deleted at any time. */
export class ImageFiles extends Context.Tag("ImageFiles")<
  ImageFiles,
  {
    /** What is kept for this address; it counts as used. */
    readonly read: (kind: PictureKind, address: string) => Effect.Effect<Option.Option<Picture>>
    /** Keeps a picture, wholly or not at all. */
    readonly write: (kind: PictureKind, address: string, picture: Picture) => Effect.Effect<void>
    /** Removes what is kept for this address, if anything is; a defect where the disk refuses. */
    readonly remove: (kind: PictureKind, address: string) => Effect.Effect<void>
    /** Removes what was used longest ago until the rest fits, where enough has been written since the last time. */
    readonly prune: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.flatMap(Effect.orDie(Setting.dataDir.config), (folder) =>
      imageFiles(dataFolder(folder).images, MAX_BYTES)
    )
  )
}
