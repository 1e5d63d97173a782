import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { FileSystem } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { Setting } from "../../config/Configuration.ts"
import type { LinkId } from "../../domain/Link.ts"
import { type Picture, type PictureKind, pictureOf } from "../../domain/Picture.ts"
import { Service } from "../../runtime/Services.ts"
import { dataFolder } from "../DataFolder.ts"
import { listOf } from "../Fragment.ts"
import { readRows } from "../Rows.ts"
import { orUnavailable } from "../Transaction.ts"

const Removal = Schema.Struct({
  id: Schema.Int,
  kind: Schema.Literal("image", "favicon"),
  address: Schema.String
})

/** A picture's address that a link no longer has, because the link was deleted or names another picture. */
export type Removal = typeof Removal.Type
const readRemoval = readRows(Removal)

const NamedPicture = Schema.Struct({ address: Schema.String, page: Schema.String })
const readNamed = readRows(NamedPicture)

const makeImageStore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    addressOf: Effect.fn("ImageStore.addressOf")(function* (kind: PictureKind, id: LinkId) {
      const [row] = yield* readNamed(
        sql`SELECT ${sql(kind)} AS address, coalesce(final_url, url) AS page FROM links
                WHERE id = ${id} AND ${sql(kind)} IS NOT NULL`
      )
      return Option.fromNullable(row)
    }),
    removals: Effect.fn("ImageStore.removals")((limit: number) =>
      readRemoval(sql`SELECT id, kind, address FROM image_removals ORDER BY id LIMIT ${limit}`)
    ),
    deleteRemovals: Effect.fn("ImageStore.deleteRemovals")((removals: ReadonlyArray<Removal>) =>
      orUnavailable(
        sql`DELETE FROM image_removals
              WHERE id IN ${listOf(removals.map(({ id }) => id))}`
      )
    )
  }
})

export class ImageStore extends Service<ImageStore>()("ImageStore", makeImageStore) {}

const MAX_BYTES = 256 * 1024 * 1024
/** How long its measured size is kept: measuring looks at every file. */
const SIZE_TTL = "1 minute"

/** The file name for an address: a hash that does not reveal it. */
const nameOf = (kind: PictureKind, address: string) =>
  new Bun.CryptoHasher("sha256").update(`${kind} ${address}`).digest("hex")

const isPictureFile = (name: string) => /^[0-9a-f]{64}(\.[0-9a-f-]{36}\.tmp)?$/.test(name)

interface Entry {
  readonly name: string
  readonly size: number
  /** Milliseconds since 1970. */
  readonly used: number
}

/** A picture cache in `folder`, created on the first write; `prune` reduces it to `maxBytes`. */
export const imageFiles = Effect.fnUntraced(function* (folder: string, maxBytes: number) {
  const fs = yield* FileSystem.FileSystem
  const pathOf = (name: string) => join(folder, name)
  // A temporary file bears the id of the run that writes it: one with another id was left by a crash.
  const temporarySuffix = `.${randomUUID()}.tmp`
  const isAbandoned = (name: string) => name.endsWith(".tmp") && !name.endsWith(temporarySuffix)
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

  const entries = Effect.gen(function* () {
    const names = yield* Effect.orElseSucceed(fs.readDirectory(folder), () => [])
    const found = yield* Effect.forEach(names.filter(isPictureFile), entry, { concurrency: 4 })
    return found.flatMap(Option.toArray)
  })
  const bytesOf = (all: ReadonlyArray<Entry>) => all.reduce((sum, { size }) => sum + size, 0)

  // Not `replaceFile`, which syncs the file and its folder to disk: a picture lost in a crash is fetched again.
  const keep = Effect.fnUntraced(function* (name: string, bytes: Uint8Array) {
    const temporaryPath = pathOf(name + temporarySuffix)
    yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
    yield* Effect.zipRight(
      fs.writeFile(temporaryPath, bytes, { mode: 0o600 }),
      fs.rename(temporaryPath, pathOf(name))
    ).pipe(Effect.onError(() => Effect.ignore(fs.remove(temporaryPath, { force: true }))))
    written += bytes.length
  })

  return {
    /** Marks the picture as used. */
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
          `caching a picture failed: ${error._tag === "SystemError" ? error.reason : error._tag}`
        )
      )
    ),
    /** A disk error is a defect. */
    remove: Effect.fn("ImageFiles.remove")((kind: PictureKind, address: string) =>
      Effect.orDie(fs.remove(pathOf(nameOf(kind, address)), { force: true }))
    ),
    /** Evicts the least recently used pictures until the rest fits, if enough was written since the last run. */
    prune: Effect.gen(function* () {
      // So few new bytes are not worth scanning every file.
      if (written < maxBytes / 32) return
      written = 0
      const oldestFirst = (yield* entries).sort((a, b) => a.used - b.used)
      let left = bytesOf(oldestFirst)
      for (const { name, size } of oldestFirst) {
        if (left <= maxBytes && !isAbandoned(name)) continue
        yield* Effect.ignore(fs.remove(pathOf(name), { force: true }))
        left -= size
      }
    }).pipe(Effect.withSpan("ImageFiles.prune")),
    bytes: yield* Effect.cachedWithTTL(
      Effect.map(entries, bytesOf).pipe(Effect.withSpan("ImageFiles.bytes")),
      SIZE_TTL
    )
  }
})

/** Caches pictures on disk and evicts the least recently used. The whole folder may be deleted at any time. */
export class ImageFiles extends Context.Tag("ImageFiles")<
  ImageFiles,
  Effect.Effect.Success<ReturnType<typeof imageFiles>>
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.flatMap(Effect.orDie(Setting.dataDir.config), (folder) =>
      imageFiles(dataFolder(folder).images, MAX_BYTES)
    )
  )
}
