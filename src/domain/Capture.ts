import { Data, Schema } from "effect"
import {
  MAX_ADDRESS,
  MAX_CAPTURE_TAGS,
  MAX_COLLECTION_PATH,
  MAX_NOTE,
  MAX_TAG_GIVEN
} from "../shared/Limits.ts"
import { MAX_OWNER_TAGS } from "../shared/Tags.ts"
import { cutText } from "../shared/Text.ts"
import { NewHighlight } from "./Highlight.ts"
import { Link, LinkId, ReturnedFrom } from "./Link.ts"

/** Maximum length of a hint in UTF-16 units; longer hints are cut, not rejected. */
const MAX_HINT = 4_096
const Hint = Schema.transform(Schema.String, Schema.String, {
  strict: true,
  decode: (text) => cutText(text, MAX_HINT),
  encode: (text) => text
})

const hint = (description: string) => Schema.optional(Hint.annotations({ description }))

const fields = {
  url: Schema.String.pipe(Schema.maxLength(MAX_ADDRESS)).annotations({
    description: "An http or https address."
  }),
  note: Schema.optional(
    Schema.String.pipe(Schema.maxLength(MAX_NOTE)).annotations({ description: "A note about the link." })
  ),
  title: hint("The page's title in the browser, used if the page cannot be read."),
  description: hint("The page's description of itself in the browser."),
  selection: hint("The text selected on the page.")
}

const tagsUpTo = (most: number) =>
  Schema.optional(
    Schema.Array(Schema.String.pipe(Schema.maxLength(MAX_TAG_GIVEN)))
      .pipe(Schema.maxItems(most))
      .annotations({ description: "Tags for the link, in addition to those it has." })
  )

const collectionAt = (description: string) =>
  Schema.optional(Schema.String.pipe(Schema.maxLength(MAX_COLLECTION_PATH)).annotations({ description }))

const hintOrNull = (description: string) => Schema.optional(Schema.NullOr(Hint).annotations({ description }))

/** What the owner read in the browser: untrusted HTML and texts of the page. */
export const Article = Schema.Struct({
  html: Schema.String.annotations({ description: "The article, or the whole page, as HTML." }),
  title: hintOrNull("Its title."),
  byline: hintOrNull("Its author, as written on the page."),
  lang: hintOrNull("Its language, as a BCP 47 tag.")
}).annotations({
  description:
    "The page as the browser shows it. Used where the service is shown something else: a log-in, an error, or a page that is empty until its scripts run."
})
export type Article = typeof Article.Type

export const CapturedSnapshot = Schema.Struct({
  html: Schema.String.annotations({ description: "The whole page as one HTML file, which loads nothing." })
}).annotations({
  description:
    "The page as the browser shows it, with its styles and pictures. It becomes the newest of the link; one without content is ignored."
})
export type CapturedSnapshot = typeof CapturedSnapshot.Type

export const CapturedHighlight = NewHighlight.pick("quote", "prefix", "suffix").annotations({
  description:
    "A passage of the page to highlight, with up to 64 UTF-16 units of the text before and after it."
})
export type CapturedHighlight = typeof CapturedHighlight.Type

/** A capture by the extension: an address, the owner's words, and the browser's view of the page, which is untrusted. */
export const Capture = Schema.Struct({
  ...fields,
  tags: tagsUpTo(MAX_CAPTURE_TAGS),
  collection: collectionAt(
    "The collection to file the link in, which is created if it does not exist. A link that the owner has filed stays where it is, and none is filed in a shared collection, which would publish it."
  ),
  article: Schema.optional(Article),
  highlight: Schema.optional(CapturedHighlight),
  snapshot: Schema.optional(CapturedSnapshot)
})
export type Capture = typeof Capture.Type

export const AddedLink = Schema.Struct({
  ...fields,
  tags: tagsUpTo(MAX_OWNER_TAGS),
  collection: collectionAt("The collection to file the link in, which is created if it does not exist.")
})
export type AddedLink = typeof AddedLink.Type

const notice = Schema.optional(
  Schema.String.annotations({
    description:
      "What its sender must know, in sentences: the note was too long and was cut, or a link that was public came back from the trash and is private now."
  })
)

export const Saved = Schema.Struct({
  status: Schema.Literal("saved"),
  url: Schema.String,
  title: Schema.String,
  notice
})

export const Accepted = Schema.Struct({ status: Schema.Literal("accepted"), url: Schema.String, notice })

/** The same for new and known addresses, except for one that was public and is in the trash. */
export type CaptureAnswer = typeof Saved.Type | typeof Accepted.Type

/** What was known of the address of a link before it was added. */
export const Existing = {
  existing: Schema.optional(
    Schema.Struct({
      id: LinkId,
      createdAt: Schema.String,
      isNoteFull: Schema.Boolean,
      returnedFrom: Schema.NullOr(ReturnedFrom)
    }).annotations({
      description:
        "Present if the address was saved before: the link's number, when it was saved, whether its note had no room for the given one, and where it has come back from; `unshared` is the trash, where it was public before."
    })
  )
}

const added = {
  url: Schema.String,
  link: Schema.optional(
    Link.annotations({ description: "The link as it is now; absent if the library is too busy to say." })
  ),
  ...Existing
}

export const KnownLink = Schema.Struct({
  status: Schema.Literal("saved"),
  title: Schema.String,
  ...added
})

export const NewLink = Schema.Struct({ status: Schema.Literal("accepted"), ...added })

/** The response to the owner, who may know what is in the library. */
export type AddAnswer = typeof KnownLink.Type | typeof NewLink.Type

export class KeyReused extends Data.TaggedError("KeyReused") {}
