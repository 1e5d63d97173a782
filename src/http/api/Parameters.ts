import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import { Author } from "../../domain/Author.ts"
import { LinkId } from "../../domain/Link.ts"
import {
  choice,
  flag,
  KEYS_BLOCK,
  MAX_IDS,
  MAX_LIMIT,
  MAX_SEED,
  type Parameter,
  publicSorts,
  sorts
} from "../../shared/ListParameters.ts"
import {
  described,
  documentedParameters,
  documentedText,
  type JsonSchema,
  parameter,
  pathNumber,
  queryParameters,
  required,
  withDefault
} from "./Input.ts"

const query = (description: string, jsonSchema?: JsonSchema) =>
  Schema.optional(documentedText(description, jsonSchema))

export const anyText: Parameter<string> = { mustBe: "a text", parse: (text) => text }

const words = (...values: ReadonlyArray<string>): JsonSchema => ({ type: "string", enum: values })
const count = (maximum: number): JsonSchema => ({ type: "integer", minimum: 1, maximum })
const truth: JsonSchema = { type: "boolean" }

const publicSearch = query(
  'Search words and operators: `"a phrase"`, `-word`, `tag:`, `category:`, `collection:`, `site:`, `title:`, `has:`, `before:`, `after:`, `added:`, `or` and brackets. Only the first eight words and the first eight operators are used.'
)
const category = query("Only links in this category.")
const tag = query("Only links with this tag.")
export const CURSOR = "The `nextCursor` of the previous page; all other parameters must stay the same."
const cursor = query(CURSOR)

/** Parameters of the owner's list, which its handler reads itself: lists are the hottest requests. */
export const OwnerListParameters = documentedParameters(
  Schema.Struct({
    q: query(
      'Search words and operators: `"a phrase"`, `-word`, `tag:`, `category:`, `collection:`, `site:`, `title:`, `lang:`, `is:`, `has:`, `before:`, `after:`, `added:`, `or` and brackets. Any text is valid.'
    ),
    category,
    collection: query(
      "Only links in the collection with this number, or with `none` only links in no collection."
    ),
    tag,
    favorite: query("With `true` only favorites, with `false` only other links.", truth),
    shareable: query("With `true` only shared links, with `false` only other links.", truth),
    like: query("Only links similar in meaning to the link with this number, most similar first.", {
      type: "integer",
      minimum: 1
    }),
    sort: query("The order; by default `relevance` for a search and `newest` otherwise.", words(...sorts)),
    seed: query("Selects one of the orders of `random`; without it, each first page has another order.", {
      type: "integer",
      minimum: 0,
      maximum: MAX_SEED
    }),
    limit: query("The number of links on a page; all of them by default.", count(MAX_LIMIT)),
    cursor,
    wait: query(
      "With `false`, a search whose vector is not available yet is answered at once by its words alone, with `complete: false`.",
      truth
    )
  })
)

/** Parameters of the public list. Its handlers read these and those of the feed and the pictures within the rate limit. */
export const PublicListParameters = documentedParameters(
  Schema.Struct({
    q: publicSearch,
    category,
    collection: query(
      "Only links in the collection with this name and in the collections in it, or with `none` only links in no collection."
    ),
    tag,
    sort: query(
      "The order; by default `relevance` for a search and `collection` otherwise.",
      words(...publicSorts)
    ),
    limit: query(
      "The number of links on a page; all of them by default. A page of a search has 50 at most.",
      count(MAX_LIMIT)
    ),
    cursor
  })
)

export const FeedParameters = documentedParameters(
  Schema.Struct({
    q: publicSearch,
    category,
    collection: query("Only links in the collection with this name and in the collections in it."),
    tag,
    limit: query(
      "The number of links in the feed; 50 by default. A feed of a search has 50 at most.",
      count(MAX_LIMIT)
    )
  })
)

export const PictureParameters = documentedParameters(
  Schema.Struct({ url: documentedText("The picture's address, as given in the link.") })
)

const linkNumbers = new RegExp(`^[1-9]\\d{0,14}(,[1-9]\\d{0,14}){0,${MAX_IDS - 1}}$`)

const ids: Parameter<ReadonlyArray<LinkId>> = {
  mustBe: `up to ${MAX_IDS} link numbers, separated by commas`,
  parse: (text) => (linkNumbers.test(text) ? text.split(",").map((id) => LinkId.make(Number(id))) : undefined)
}

export const LinksByIdsParameters = queryParameters({
  ids: required(
    parameter(
      `Up to ${MAX_IDS} link numbers, separated by commas; numbers that do not exist are skipped.`,
      ids
    )
  )
})

const blockStart: Parameter<number> = {
  mustBe: `0 or a response's next`,
  parse: (text) => (/^\d{1,15}$/.test(text) && Number(text) % KEYS_BLOCK === 0 ? Number(text) : undefined)
}

export const KeysParameters = queryParameters({
  after: withDefault(parameter("The `next` of the previous block; 0 by default.", blockStart), 0)
})

const listed = new Intl.ListFormat("en-GB", { type: "disjunction" })

/** A parameter that is one of these words, the first by default. */
const oneOf = <const Word extends string>(
  description: string,
  [first, ...others]: readonly [Word, ...ReadonlyArray<Word>]
) => {
  const all = [first, ...others]
  return withDefault(parameter(description, choice(all, listed.format(all)), words(...all)), first)
}

export const ImportParameters = queryParameters({
  name: withDefault(parameter("The file's name, which can help to detect its format.", anyText), ""),
  pages: oneOf(
    "When to read the links' pages: with `now` in the background, with `later` when the job `read` is started.",
    ["now", "later"]
  ),
  shared: oneOf("Whether links that a Linkbower export marks as shared stay shared; `drop` by default.", [
    "drop",
    "keep"
  ])
})

export const MutationParameters = queryParameters({
  links: oneOf(
    "With `none` the response leaves out the changed links, which makes the response to a large change short.",
    ["all", "none"]
  )
})

export const ExportParameters = queryParameters({
  format: oneOf(
    "The file's format: `json`, the default, has the links, and `full` is a zip that also has versions, pictures and snapshots of pages and the trash.",
    ["json", "html", "csv", "full"]
  )
})

const isAuthor = Schema.is(Author)
const author: Parameter<Author> = {
  mustBe: "owner, bot, extension, import, job, rule or token:NAME",
  parse: (text) => (isAuthor(text) ? text : undefined)
}
const changeNumber: Parameter<number> = {
  mustBe: "a change's number",
  parse: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)
}

export const ChangesParameters = queryParameters({
  author: parameter(
    "Only changes by this author, such as `token:My script`; see `history` of a link.",
    author
  ),
  before: parameter("The `next` of the previous page.", changeNumber, { type: "integer" })
})

export const RecategorizeParameters = queryParameters({
  all: withDefault(
    parameter("Whether to include the links whose category the owner has set.", flag, truth),
    false
  ),
  otherModel: withDefault(
    parameter("Whether to count only links whose summary is by another model.", flag, truth),
    false
  )
})

export const linkPath = Schema.Struct({ id: pathNumber("A link's number must be a positive integer.") })

export const CaptureHeaders = Schema.Struct({
  "idempotency-key": Schema.optional(
    described(Schema.String, "Requests with the same key count as one capture.")
  )
})

export const Html = HttpApiSchema.Text({ contentType: "text/html; charset=utf-8" })

/** A picture, usually WebP; a picture that the service cannot decode keeps its original media type. */
export const Picture = HttpApiSchema.Uint8Array({ contentType: "image/webp" })
