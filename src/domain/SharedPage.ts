import { Data, Schema } from "effect"
import { KeptPage } from "./KeptPage.ts"
import { LinkId } from "./Link.ts"

/** Maximum number of addresses under which a link's page is shared at a time. */
export const MAX_SHARES = 20

/** How a page's copy names its pictures, whose address has the secret of the page's own at `-`. */
export const SHARED_PICTURES = "/s/-/"

export const PageShare = Schema.Struct({
  id: Schema.Int,
  linkId: LinkId,
  title: Schema.String,
  createdAt: Schema.String,
  expiresAt: Schema.NullOr(Schema.String).annotations({
    description: "When the address expires, an ISO 8601 time in UTC; null if it does not."
  })
}).annotations({ identifier: "PageShare" })
export type PageShare = typeof PageShare.Type

export const ShownPage = KeptPage.pick(
  ...([
    "title",
    "author",
    "siteName",
    "publishedAt",
    "language",
    "source",
    "url",
    "readingTime",
    "savedAt"
  ] as const)
)
export type ShownPage = typeof ShownPage.Type

export class TooManyShares extends Data.TaggedError("TooManyShares") {
  override get message() {
    return `This page has ${MAX_SHARES} addresses already. End one of them first.`
  }
}

export class ShareNotFound extends Data.TaggedError("ShareNotFound")<{ readonly id: number }> {
  override get message() {
    return `There is no shared page ${this.id}.`
  }
}
