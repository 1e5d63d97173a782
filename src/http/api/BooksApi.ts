import { HttpApiSchema } from "@effect/platform"
import { get, group } from "./Endpoint.ts"
import { BadRequest, DamagedPage, NotFound, NotKept, Unavailable } from "./Failures.ts"
import { AccessGate } from "./Middleware.ts"
import { linkPath, OwnerListParameters } from "./Parameters.ts"

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
