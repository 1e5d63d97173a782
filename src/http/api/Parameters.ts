import { HttpApiSchema, OpenApi } from "@effect/platform"
import { sorts } from "../../domain/LinkQuery.ts"

/** A query parameter as OpenAPI describes it (https://spec.openapis.org/oas/v3.1.0#parameter-object). */
export interface QueryParameter {
  readonly name: string
  readonly in: "query"
  readonly required: boolean
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** Maximum number of links on a page of a list, and of links requested by number. */
export const MAX_LIMIT = 1_000
export const MAX_IDS = 500

type JsonSchema = QueryParameter["schema"]

/**
 * Describes a parameter without decoding it: handlers read the query themselves, so that an invalid value gets the
 * contract's error body.
 */
const query = (
  name: string,
  description: string,
  schema: JsonSchema = { type: "string" }
): QueryParameter => ({ name, in: "query", required: false, description, schema })

const required = (parameter: QueryParameter): QueryParameter => ({ ...parameter, required: true })

const choice = (...values: ReadonlyArray<string>): JsonSchema => ({ type: "string", enum: values })
const count = (maximum: number): JsonSchema => ({ type: "integer", minimum: 1, maximum })
const flag: JsonSchema = { type: "boolean" }

const search = query(
  "q",
  'Words and operators to search for: `"a phrase"`, `-word`, `tag:`, `category:`, `collection:`, `site:`, `is:favorite`, `is:shareable`, `is:partial`, `before:`, `after:`. Never refused.'
)
const publicSearch = query(
  "q",
  'Words and operators to search for: `"a phrase"`, `-word`, `tag:`, `category:`, `collection:`, `site:`, `before:`, `after:`. The first eight words and the first eight operators count.'
)
const category = query("category", "Only links of this category.")
const tag = query("tag", "Only links with this tag.")
const limit = query("limit", "How many links a page holds; without it, all of them.", count(MAX_LIMIT))
const cursor = query("cursor", "The `nextCursor` of the page before, with everything else as it was.")

/** Parameters of the owner's list. */
export const ownerListParameters = [
  search,
  category,
  query("collection", "Only links of the collection with this number, or `none` for those in no collection."),
  tag,
  query("favorite", "Only favorites, or only the others.", flag),
  query("shareable", "Only shared links, or only the others.", flag),
  query("like", "Only links that mean much the same as the link with this number, the nearest first.", {
    type: "integer",
    minimum: 1
  }),
  query("sort", "The order; `relevance` where something is searched for, else `newest`.", choice(...sorts)),
  limit,
  cursor
]

/** Parameters of the public list. */
export const publicListParameters = [
  publicSearch,
  category,
  query("collection", "Only links of the collection with this name, or `none` for those in no collection."),
  tag,
  query(
    "sort",
    "The order; `relevance` where something is searched for, else `collection`.",
    choice(...sorts)
  ),
  query(
    "limit",
    "How many links a page holds; without it, all of them. A page of a search has 50 at most.",
    count(MAX_LIMIT)
  ),
  cursor
]

/** Parameters of the feed. */
export const feedParameters = [
  publicSearch,
  category,
  tag,
  query(
    "limit",
    "How many links the feed holds, 50 unless it says otherwise. A feed of a search has 50 at most.",
    count(MAX_LIMIT)
  )
]

/** Parameters of a request for links by number. */
export const linksByIds = [
  required(
    query("ids", `Up to ${MAX_IDS} links' numbers with commas between; those that are no more are left out.`)
  )
]

/** Parameters of an import. */
export const importParameters = [
  query("name", "The file's name, which may help to tell its format."),
  query(
    "pages",
    "Whether the links' pages are read at once, behind, or when the job `read` is started.",
    choice("now", "later")
  ),
  query(
    "shared",
    "Whether links that Linkbower's own export marks as shared are shared here too; `drop` unless it says otherwise.",
    choice("drop", "keep")
  )
]

/** Parameters of an export. */
export const exportParameters = [
  query("format", "What kind of file; `json` holds everything.", choice("json", "html", "csv"))
]

/** Parameters of a request for a shared link's picture. */
export const pictureParameters = [required(query("url", "The picture's address, as the link names it."))]

export const Html = HttpApiSchema.Text({ contentType: "text/html; charset=utf-8" })

/** A picture, usually WebP; one that the service does not decode keeps its original media type. */
export const Picture = HttpApiSchema.Uint8Array({ contentType: "image/webp" })

interface EndpointDetails {
  /** Details beyond the summary line, as Markdown. */
  readonly description?: string
  readonly parameters?: ReadonlyArray<QueryParameter>
}

/** Documents an endpoint: a summary line, and optionally a description and parameters. */
export const documented = (summary: string, { description, parameters }: EndpointDetails = {}) =>
  OpenApi.annotations({
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { override: { parameters } })
  })
