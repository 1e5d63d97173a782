import { Data, Effect } from "effect"
import type { LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import type { Asked, Button } from "./Chat.ts"

/**
 * Messages in Telegram's HTML subset (https://core.telegram.org/bots/api#html-style), which counts a message's length
 * in UTF-16 units of its text without the markup.
 */

/** The longest message the platform takes. */
export const MAX_TEXT = 4_096

/** A piece of a message: its markup, and how much of it is read. */
export interface Html {
  readonly html: string
  readonly length: number
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** Text cut to `limit` UTF-16 units before it is escaped, with an ellipsis where something is missing. */
export const text = (raw: string, limit = MAX_TEXT): Html => {
  const well = raw.toWellFormed()
  const cut =
    well.length <= limit ? well : `${well.slice(0, Math.max(0, limit - 1)).replace(/[\ud800-\udbff]$/, "")}…`
  return { html: escaped(cut), length: cut.length }
}

const wrap =
  (open: string, close: string) =>
  ({ html, length }: Html): Html =>
    length === 0 ? empty : { html: `${open}${html}${close}`, length }

export const empty: Html = { html: "", length: 0 }
export const bold = wrap("<b>", "</b>")
export const italic = wrap("<i>", "</i>")
export const code = wrap("<code>", "</code>")
/** A quotation that folds itself up when it is long. */
export const foldedQuote = wrap("<blockquote expandable>", "</blockquote>")

/** A link to an http or https address; without one, the label alone. */
export const link = (url: string, label: Html): Html =>
  /^https?:\/\//i.test(url)
    ? wrap(`<a href="${escaped(url).replaceAll('"', "&quot;")}">`, "</a>")(label)
    : label

export const concat = (...parts: ReadonlyArray<Html>): Html => ({
  html: parts.map(({ html }) => html).join(""),
  length: parts.reduce((sum, { length }) => sum + length, 0)
})

/** The pieces, each on a line of its own; those that are empty and those that no longer fit are left out. */
export const lines = (parts: ReadonlyArray<Html>, separator = "\n", limit = MAX_TEXT): Html => {
  let all = empty
  for (const part of parts) {
    if (part.length === 0) continue
    const next = all.length === 0 ? part : concat(all, text(separator), part)
    if (next.length <= limit) all = next
  }
  return all
}

/** The text of a message without its markup, for where the markup was not understood. */
export const plainOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")

/** What a message says and what can be pressed under it. */
export interface Content {
  readonly html: Html
  readonly buttons?: ReadonlyArray<ReadonlyArray<Button>>
  readonly asks?: { readonly linkId: LinkId; readonly what: Asked }
  /** The saves it tells of, where it tells of nothing else. */
  readonly saves?: ReadonlyArray<{ readonly linkId: LinkId; readonly created: boolean }>
}

/** A message in a chat. */
export interface At {
  readonly chatId: number
  readonly messageId: number
}

/** What was asked for cannot be done, for the reason it gives; nothing has been changed. */
export class UserError extends Data.TaggedError("Told")<{ readonly html: Html }> {}

/** A reason in one plain sentence. */
export const userError = (sentence: string): UserError => new UserError({ html: text(sentence) })

/** The link is not there, or no longer. */
export const gone: UserError = userError("This link is gone.")

/**
 * Work in two parts: what takes its time (a search, the start of a job) comes first, and answers what is to be done
 * within the transaction that marks its arrival done.
 */
export type Prepared<A> = Effect.Effect<
  Effect.Effect<A, UserError | StoreUnavailable>,
  UserError | StoreUnavailable
>

/** Work that has no first part. */
export const atOnce = <A>(work: Effect.Effect<A, UserError | StoreUnavailable>): Prepared<A> =>
  Effect.succeed(work)
