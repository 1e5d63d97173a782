import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { BadRequest, DamagedPage, NotFound, NotKept, Unavailable } from "./Failures.ts"
import { pathNumber } from "./Input.ts"
import { AccessGate } from "./Middleware.ts"
import { documented, OwnerListParameters } from "./Parameters.ts"

const linkPath = Schema.Struct({ id: pathNumber("A link's number must be a positive integer.") })

const Epub = HttpApiSchema.Uint8Array({ contentType: "application/epub+zip" })
const Markdown = HttpApiSchema.Text({ contentType: "text/markdown" })
const Zip = HttpApiSchema.Uint8Array({ contentType: "application/zip" })

const inOrder = "At most 200 articles, in the order of the list; links without a kept page are left out."

/** Kept pages as files, to be read elsewhere. */
export const books = HttpApiGroup.make("books")
  .add(
    HttpApiEndpoint.get("linkEpub", "/links/:id/page.epub")
      .setPath(linkPath)
      .addSuccess(Epub)
      .annotateContext(
        documented(
          "Returns a link's kept page as an EPUB",
          "EPUB 3.3, with the pictures that are kept and the owner's highlights. Pictures are in WebP, which some older e-readers do not show."
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
          "GitHub Flavored Markdown with front matter in YAML: title, address, author, dates, tags, collection and note. Highlights follow the text. Pictures keep their addresses on the web."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("listEpub", "/books.epub")
      .setUrlParams(OwnerListParameters)
      .addSuccess(Epub)
      .annotateContext(documented("Returns the kept pages of a list as one EPUB", inOrder))
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
  .annotate(OpenApi.Description, "Gate 4, as above: kept pages as files, to be read elsewhere.")
