import { Schema } from "effect"
import { IsoTime } from "./IsoTime.ts"
import { ExportedPage, MAX_EARLIER_VERSIONS, PageVersionNumber } from "./KeptPage.ts"
import { WebAddress } from "./LinkCheck.ts"

/** The file of links in a full export, as `linkbower export` writes it alone. */
export const LINKS_FILE = "linkbower.json"

/** Maximum number of pictures and of snapshots that a full export says of one link. */
const MAX_PICTURES = 1_000
const MAX_SNAPSHOTS = 10_000

const ExportedVersion = ExportedPage.omit("html")

/** A picture of a kept page: `place` is its place in the newest version, null if only an earlier one shows it. */
const ExportedPicture = Schema.Struct({
  address: WebAddress,
  place: Schema.NullOr(Schema.NonNegativeInt),
  tries: Schema.Int.pipe(Schema.between(0, 100)),
  dueAt: Schema.NullOr(IsoTime),
  changedAt: IsoTime,
  /** Null if it is not kept. `hash` is the SHA-256 of its bytes. */
  kept: Schema.NullOr(
    Schema.Struct({
      hash: Schema.String.pipe(Schema.pattern(/^[0-9a-f]{64}$/)),
      type: Schema.String.pipe(Schema.pattern(/^image\/[a-z]+$/)),
      width: Schema.Int.pipe(Schema.between(1, 100_000)),
      height: Schema.Int.pipe(Schema.between(1, 100_000))
    })
  )
})
export type ExportedPicture = typeof ExportedPicture.Type

const ExportedSnapshot = Schema.Struct({ version: PageVersionNumber, url: Schema.String, savedAt: IsoTime })
export type ExportedSnapshot = typeof ExportedSnapshot.Type

export const ExportedFiles = Schema.Struct({
  versions: Schema.Array(ExportedVersion).pipe(Schema.maxItems(MAX_EARLIER_VERSIONS)),
  pictures: Schema.Array(ExportedPicture).pipe(Schema.maxItems(MAX_PICTURES)),
  snapshots: Schema.Array(ExportedSnapshot).pipe(Schema.maxItems(MAX_SNAPSHOTS))
})
export type ExportedFiles = typeof ExportedFiles.Type

export const filePaths = {
  version: (id: number, version: number) => `pages/${id}/${version}.html`,
  picture: ({ hash, type }: { readonly hash: string; readonly type: string }) =>
    `pictures/${hash}.${type.slice("image/".length)}`,
  snapshot: (id: number, version: number) => `snapshots/${id}/${version}.html`
}

/** A file of a full export with the number that its link has there. */
export type ImportedFile =
  /** All earlier versions of the page `newest`, from the newest on. */
  | {
      readonly _tag: "Versions"
      readonly id: number
      readonly newest: ExportedPage
      readonly versions: ReadonlyArray<ExportedPage>
    }
  | {
      readonly _tag: "Picture"
      readonly id: number
      readonly newest: ExportedPage
      readonly picture: ExportedPicture
      /** Null if it is not kept. */
      readonly bytes: Uint8Array | null
    }
  /** `newest` is the newest snapshot of the link in the file. */
  | {
      readonly _tag: "Snapshot"
      readonly id: number
      readonly newest: ExportedSnapshot
      readonly snapshot: ExportedSnapshot
      readonly html: Uint8Array
    }
