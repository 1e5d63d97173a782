import { Data, Effect, Schema } from "effect"
import type { Link, LinkId } from "../domain/Link.ts"
import type { Question } from "../domain/Messages.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { escapeText, shortened } from "../shared/Text.ts"
import { isHttpUrl } from "../shared/WebAddress.ts"

/** Telegram's HTML subset (https://core.telegram.org/bots/api#html-style); lengths in UTF-16 units without markup. */

/** Maximum length of a message, in UTF-16 units without markup. */
export const MAX_TEXT = 4_096

/** A piece of a message: its markup, and the length of its text in UTF-16 units. */
export interface Html {
  readonly html: string
  readonly length: number
}

export const text = (raw: string, limit = MAX_TEXT): Html => {
  const short = shortened(raw, limit)
  return { html: escapeText(short), length: short.length }
}

const wrap =
  (open: string, close: string) =>
  ({ html, length }: Html): Html =>
    length === 0 ? empty : { html: `${open}${html}${close}`, length }

export const empty: Html = { html: "", length: 0 }
export const bold = wrap("<b>", "</b>")
export const italic = wrap("<i>", "</i>")
export const code = wrap("<code>", "</code>")
/** A quotation that is collapsed when long. */
export const foldedQuote = wrap("<blockquote expandable>", "</blockquote>")

/** A link to an http or https URL; for any other URL, only the label. */
export const link = (url: string, label: Html): Html =>
  isHttpUrl(url) ? wrap(`<a href="${escapeText(url).replaceAll('"', "&quot;")}">`, "</a>")(label) : label

export const concat = (...parts: ReadonlyArray<Html>): Html => ({
  html: parts.map(({ html }) => html).join(""),
  length: parts.reduce((sum, { length }) => sum + length, 0)
})

/** Joins pieces with the separator, leaving out empty pieces and pieces that would exceed `limit`. */
export const lines = (parts: ReadonlyArray<Html>, separator = "\n", limit = MAX_TEXT): Html => {
  let all = empty
  for (const part of parts) {
    if (part.length === 0) continue
    const next = all.length === 0 ? part : concat(all, text(separator), part)
    if (next.length <= limit) all = next
  }
  return all
}

/** Strips the markup from a message, for when the platform cannot parse it. */
export const stripMarkup = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")

/** A button under a message: it sends back its `data` (1 to 64 bytes) or opens a URL. */
export const Button = Schema.Union(
  Schema.Struct({ label: Schema.String, data: Schema.String }),
  Schema.Struct({ label: Schema.String, url: Schema.String })
)
export type Button = typeof Button.Type

export const Document = Schema.Struct({
  /** Its name in the folder of outgoing files. */
  file: Schema.String.pipe(Schema.pattern(/^-?\d+-\d+$/)),
  name: Schema.String.pipe(Schema.pattern(/^[\w.-]+$/)),
  /** The text to send if the chat platform refuses the file, as HTML. */
  otherwise: Schema.String
})
export type Document = typeof Document.Type

/** A text of a rich message, with more structure than a message has. */
export const Rich = Schema.Struct({
  /** Rich HTML (https://core.telegram.org/bots/api#rich-message-formatting-options). */
  html: Schema.String,
  isRightToLeft: Schema.Boolean
})
export type Rich = typeof Rich.Type

export interface Content {
  readonly html: Html
  readonly buttons?: ReadonlyArray<ReadonlyArray<Button>>
  readonly asks?: Question
  /** The link whose card it is, which loses its buttons when the link is deleted. */
  readonly card?: LinkId
  /** Whether that card says that its link is in the trash, which changes when the link comes back. */
  readonly isTrashed?: boolean
  /** The link whose card it is, if the card is to be edited when the link's summary comes. */
  readonly awaits?: LinkId
  /** The saves it reports, if it reports nothing else. */
  readonly saves?: ReadonlyArray<{ readonly linkId: LinkId; readonly created: boolean }>
  /** The file that the message carries; the text is its caption, at most 1,024 UTF-16 units. */
  readonly document?: Document
  /** The rich text that is sent in place of the text, if the platform knows rich messages. */
  readonly rich?: Rich
}

/** A request that cannot be fulfilled, with the reason for the user; nothing has been changed. */
export class UserError extends Data.TaggedError("UserError")<{ readonly html: Html }> {}

export const userError = (sentence: string): UserError => new UserError({ html: text(sentence) })

export const linkGone: UserError = userError("This link was deleted.")

/** What a command or the press of a button comes to. */
export interface Outcome {
  /** The reply, which takes the place of the pressed button's message unless it stands `below`. */
  readonly content?: Content | undefined
  readonly below?: boolean
  /** The links that the replies are about. */
  readonly about?: ReadonlyArray<Link>
  /** Further replies. */
  readonly more?: ReadonlyArray<Content>
  /** The short notice after a press. */
  readonly notice?: string | undefined
}

/** The slow part (a search, a job's start) runs first, and returns the part for the arrival's transaction. */
export type Prepared<A> = Effect.Effect<
  Effect.Effect<A, UserError | StoreUnavailable>,
  UserError | StoreUnavailable
>

export const withoutPreparation = <A>(work: Effect.Effect<A, UserError | StoreUnavailable>): Prepared<A> =>
  Effect.succeed(work)
