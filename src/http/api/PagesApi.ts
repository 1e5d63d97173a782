import { Schema } from "effect"
import { Highlight } from "../../domain/Highlight.ts"
import { KeptPage, PageVersion } from "../../domain/KeptPage.ts"
import { ReadingPosition } from "../../domain/ReadingPosition.ts"
import { del, get, group } from "./Endpoint.ts"
import { BadRequest, DamagedPage, Forbidden, NotFound, NotKept, Unavailable } from "./Failures.ts"
import { pathNumber } from "./Input.ts"
import { AccessGate } from "./Middleware.ts"
import { linkPath, Picture } from "./Parameters.ts"

/** A kept page, and what the owner has done with it. */
export const PageAnswer = Schema.Struct({
  page: KeptPage,
  position: Schema.NullOr(ReadingPosition).annotations({
    description: "How far it has been read; null if it has not been opened."
  }),
  highlights: Schema.Array(Highlight).annotations({
    description: "Its highlights in the order of the text; those without a place in it come last."
  }),
  snapshotAt: Schema.NullOr(Schema.String).annotations({
    description:
      "When the snapshot of the page was made, an ISO 8601 time in UTC; null for a page without one."
  })
})
export type PageAnswer = typeof PageAnswer.Type

/** The versions of a kept page, newest first. */
export const PageVersionsAnswer = Schema.Struct({ versions: Schema.Array(PageVersion) })

export const ForgottenAnswer = Schema.Struct({
  kept: Schema.Literal(false).annotations({ description: "No page is kept for the link any more." })
})

export const AllForgottenAnswer = Schema.Struct({
  forgotten: Schema.Int.annotations({ description: "How many pages were kept." })
})

export const pages = group(
  "pages",
  {
    place: "/dashboard/api",
    fails: [BadRequest, NotKept, DamagedPage, Unavailable],
    says: "Gate 4, as above: the copies of pages that are kept."
  },
  get("read", "/links/:id/page", "Returns the copy of a link's page that is kept", {
    path: linkPath,
    query: Schema.Struct({
      version: Schema.optional(pathNumber('The parameter "version" must be a positive integer.'))
    }),
    answer: PageAnswer,
    more: "With `version`, an earlier version of it. `html` is a clean article: it has no script, style, form or frame, and it loads nothing from outside. A picture that is kept has an address of this service, with its size; every other has no address and `data-missing`: `waiting` if it is still to be fetched, or `failed`."
  }),
  get("versions", "/links/:id/page/versions", "Lists the versions of a link's kept page, newest first", {
    path: linkPath,
    answer: PageVersionsAnswer,
    more: "A refresh that finds another text adds a version; the 20 newest earlier ones are kept."
  }),
  del("forget", "/links/:id/page", "Deletes the kept copy of a link's page, with its versions, for good", {
    path: linkPath,
    answer: ForgottenAnswer,
    more: "The link stays, and can still be found by its text. While `KEEP_PAGES` is `article`, a refresh of the link keeps its page again."
  }),
  get("picture", "/links/:id/page/pictures/:picture", "Returns a kept picture of a link's page", {
    path: Schema.Struct({
      ...linkPath.fields,
      picture: pathNumber("A picture's number must be a positive integer.")
    }),
    answer: Picture,
    fails: [Forbidden.schema, NotFound.schema],
    more: "As WebP, at most 1,600 pixels wide. The articles of kept pages have the addresses of their pictures. Browsers may keep it for a day."
  }),
  del("forgetAll", "/pages", "Deletes all kept copies of pages, with their versions and pictures, for good", {
    answer: AllForgottenAnswer,
    more: "The links stay, and can still be found by the texts of their pages."
  })
).middlewareEndpoints(AccessGate)
