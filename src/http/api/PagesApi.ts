import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import { Highlight } from "../../domain/Highlight.ts"
import { KeptPage, PageVersion } from "../../domain/KeptPage.ts"
import { ReadingPosition, ReportedPosition } from "../../domain/ReadingPosition.ts"
import { PageShare } from "../../domain/SharedPage.ts"
import { del, get, group, post, put } from "./Endpoint.ts"
import {
  BadRequest,
  Conflict,
  DamagedPage,
  Forbidden,
  InsufficientScope,
  NotFound,
  NotKept,
  Unavailable
} from "./Failures.ts"
import { described, pathNumber } from "./Input.ts"
import { AccessGate } from "./Middleware.ts"
import { linkPath, OwnerListParameters, Picture } from "./Parameters.ts"

/** A kept page, and what the owner has done with it. */
export const PageAnswer = Schema.Struct({
  page: KeptPage,
  position: described(
    Schema.NullOr(ReadingPosition),
    "How far it has been read; null if it has not been opened."
  ),
  highlights: described(
    Schema.Array(Highlight),
    "Its highlights in the order of the text; those without a place in it come last."
  ),
  snapshotAt: described(
    Schema.NullOr(Schema.String),
    "When the snapshot of the page was made, an ISO 8601 time in UTC; null for a page without one."
  )
})
export type PageAnswer = typeof PageAnswer.Type

/** The versions of a kept page, newest first. */
export const PageVersionsAnswer = Schema.Struct({ versions: Schema.Array(PageVersion) })

export const ForgottenAnswer = Schema.Struct({
  kept: described(Schema.Literal(false), "No page is kept for the link any more.")
})

export const AllForgottenAnswer = Schema.Struct({
  forgotten: described(Schema.Int, "How many pages were kept.")
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

/** How far a kept article has been read; null if it has not been opened. */
export const PositionAnswer = Schema.Struct({ position: Schema.NullOr(ReadingPosition) })

export const reading = group(
  "reading",
  {
    place: "/dashboard/api",
    fails: [BadRequest, NotFound, Unavailable],
    says: "Gate 4, as above: how far kept articles have been read."
  },
  get("position", "/links/:id/position", "Returns how far an article has been read", {
    path: linkPath,
    answer: PositionAnswer
  }),
  put("report", "/links/:id/position", "Reports how far an article has been read", {
    path: linkPath,
    body: ReportedPosition,
    answer: PositionAnswer,
    more: "The newest report counts, whichever device it comes from: the response has the position that is kept. A report that is sent late says by how much in `age`."
  })
).middlewareEndpoints(AccessGate)

const Epub = HttpApiSchema.Uint8Array({ contentType: "application/epub+zip" })
const Markdown = HttpApiSchema.Text({ contentType: "text/markdown" })
const Zip = HttpApiSchema.Uint8Array({ contentType: "application/zip" })

const inOrder =
  "At most 200 articles, in the order of the list; links without a kept page are left out. Only the first 2,000 links of a list are searched. Without any kept page, the response is 404 `not_kept`."

export const books = group(
  "books",
  {
    place: "/dashboard/api",
    fails: [BadRequest, NotFound, NotKept, DamagedPage, Unavailable],
    says: "Gate 4, as above: kept pages as files, for e-readers and note-taking programs."
  },
  get("linkEpub", "/links/:id/page.epub", "Returns a link's kept page as an EPUB", {
    path: linkPath,
    answer: Epub,
    more: "EPUB 3.3, with the kept pictures and the owner's highlights. Pictures are in WebP, which some older e-readers do not show. A user name and a password in the link's address are left out."
  }),
  get("linkMarkdown", "/links/:id/page.md", "Returns a link's kept page as Markdown", {
    path: linkPath,
    answer: Markdown,
    more: "GitHub Flavored Markdown with front matter in YAML: title, address, author, dates, tags, collection and note. The address is the link's own, with any user name and password in it. Highlights follow the text. Pictures keep their addresses on the web."
  }),
  get("listEpub", "/books.epub", "Returns the kept pages of a list as one EPUB", {
    query: OwnerListParameters,
    answer: Epub,
    more: `${inOrder} A book has at most 80 MiB of pictures; those that do not fit are left out. The search \`q\` is the book's title; without it, the title is \`Reading list\`.`
  }),
  get(
    "listMarkdown",
    "/books.md",
    "Returns the kept pages of a list as a zip with a Markdown file for each",
    { query: OwnerListParameters, answer: Zip, more: inOrder }
  )
).middlewareEndpoints(AccessGate)

const EReaderAddresses = Schema.Struct({
  address: described(Schema.String, "The secret address of the catalog, for apps that take only an address."),
  catalog: described(
    Schema.String,
    "The address of the same catalog for apps that send a user name and a password."
  ),
  password: described(Schema.String, "The password for it; the user name can be any."),
  createdAt: described(Schema.String, "When the secret was made, in UTC.")
}).annotations({ identifier: "EReaderAddresses" })

/** The addresses of the e-readers' catalog; null without a secret. */
export const EReadersAnswer = Schema.Struct({ ereaders: Schema.NullOr(EReaderAddresses) })

export const ereaders = group(
  "ereaders",
  {
    place: "/dashboard/api",
    fails: [BadRequest, Unavailable],
    says: "Gate 4, as above: the secret with which e-readers read the kept pages as an OPDS catalog."
  },
  get("access", "/ereaders", "Returns the addresses and the password for e-readers", {
    answer: EReadersAnswer
  }),
  post("renew", "/ereaders", "Makes a new secret for e-readers", {
    answer: EReadersAnswer,
    status: 201,
    more: "An earlier secret becomes invalid at once."
  }),
  del("revoke", "/ereaders", "Ends the access of e-readers", {
    more: "The secret becomes invalid at once."
  })
).middlewareEndpoints(AccessGate)

const NewShare = Schema.Struct({
  with: Schema.Literal("text"),
  expiresAt: Schema.optional(
    described(
      Schema.NullOr(Schema.String),
      "When the address expires, an ISO 8601 time that lies ahead; absent or null if it does not."
    )
  )
})

export const shares = group(
  "shares",
  {
    place: "/dashboard/api",
    fails: [BadRequest, Unavailable],
    says: "Gate 4, as above: kept pages for those who get a secret address."
  },
  post("share", "/links/:id/share", "Shares a link's kept page under a secret address", {
    path: linkPath,
    body: NewShare,
    answer: Schema.Struct({
      share: PageShare,
      path: described(Schema.String, "`/s/` and the secret, which is shown only here."),
      url: Schema.String
    }),
    status: 201,
    fails: [NotKept.schema, DamagedPage.schema, Conflict.schema, InsufficientScope.schema],
    more: "Whoever has the address reads the page as it is kept now, its text and pictures and nothing else of the library. A token needs `share` and `read`."
  }),
  get("list", "/shares", "Lists the pages that are shared under secret addresses", {
    answer: Schema.Struct({ shares: Schema.Array(PageShare) }),
    more: "Without the addresses."
  }),
  del("end", "/shares/:id", "Ends a secret address", {
    path: Schema.Struct({ id: pathNumber("A shared page's number must be a positive integer.") }),
    fails: [NotFound.schema],
    more: "It also ends when the link moves to the trash or its page is forgotten."
  })
).middlewareEndpoints(AccessGate)
