import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { BadRequest, DamagedPage, NotFound, NotKept, Unavailable } from "./Failures.ts"
import { AccessGate } from "./Middleware.ts"
import { documented, linkPath, OwnerListParameters } from "./Parameters.ts"

const Epub = HttpApiSchema.Uint8Array({ contentType: "application/epub+zip" })
const Markdown = HttpApiSchema.Text({ contentType: "text/markdown" })
const Zip = HttpApiSchema.Uint8Array({ contentType: "application/zip" })

const inOrder =
  "At most 200 articles, in the order of the list; links without a kept page are left out. Only the first 2,000 links of a list are searched. Without any kept page, the response is 404 `not_kept`."

export const books = HttpApiGroup.make("books")
  .add(
    HttpApiEndpoint.get("linkEpub", "/links/:id/page.epub")
      .setPath(linkPath)
      .addSuccess(Epub)
      .annotateContext(
        documented(
          "Returns a link's kept page as an EPUB",
          "EPUB 3.3, with the kept pictures and the owner's highlights. Pictures are in WebP, which some older e-readers do not show. A user name and a password in the link's address are left out."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("linkMarkdown", "/links/:id/page.md")
      .setPath(linkPath)
      .addSuccess(Markdown)
      .annotateContext(
        documented(
          "Returns a link's kept page as Markdown",
          "GitHub Flavored Markdown with front matter in YAML: title, address, author, dates, tags, collection and note. The address is the link's own, with any user name and password in it. Highlights follow the text. Pictures keep their addresses on the web."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("listEpub", "/books.epub")
      .setUrlParams(OwnerListParameters)
      .addSuccess(Epub)
      .annotateContext(
        documented(
          "Returns the kept pages of a list as one EPUB",
          `${inOrder} A book has at most 80 MiB of pictures; those that do not fit are left out. The search \`q\` is the book's title; without it, the title is \`Reading list\`.`
        )
      )
  )
  .add(
    HttpApiEndpoint.get("listMarkdown", "/books.md")
      .setUrlParams(OwnerListParameters)
      .addSuccess(Zip)
      .annotateContext(
        documented("Returns the kept pages of a list as a zip with a Markdown file for each", inOrder)
      )
  )
  .prefix("/dashboard/api")
  .addError(BadRequest.schema)
  .addError(NotFound.schema)
  .addError(NotKept.schema)
  .addError(DamagedPage.schema)
  .addError(Unavailable.schema)
  .middlewareEndpoints(AccessGate)
  .annotate(
    OpenApi.Description,
    "Gate 4, as above: kept pages as files, for e-readers and note-taking programs."
  )
