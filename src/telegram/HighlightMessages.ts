import { Effect, Option } from "effect"
import type { Highlight, ListedHighlight } from "../domain/Highlight.ts"
import { allowedChat } from "../library/ChatClaims.ts"
import { WeeklyHighlights } from "../library/WeeklyHighlights.ts"
import { Service } from "../runtime/Services.ts"
import { button } from "./Buttons.ts"
import { type Content, type Html, lines, text } from "./Content.ts"
import { Outbox } from "./Outbox.ts"

/** Maximum lengths in a message of several highlights, in UTF-16 units: together they stay below the platform's limit. */
const MAX_QUOTE = 600
const MAX_NOTE = 200
const MAX_TITLE = 120

const dated = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" })

const quotation = ({ note, quote }: Pick<Highlight, "note" | "quote">, quoteLength = MAX_QUOTE): Html => {
  const { html, length } = text(quote, quoteLength)
  const passage: Html = { html: `<blockquote>${html}</blockquote>`, length }
  return note === "" ? passage : lines([passage, text(`📝 ${note}`, MAX_NOTE)])
}

export const recalledContent = (chosen: ReadonlyArray<ListedHighlight>, footer: string): Content => ({
  html: lines([
    ...chosen.flatMap((one) => [
      quotation(one),
      text(`#${one.link.id} ${one.link.title}`, MAX_TITLE),
      text(`${dated.format(new Date(one.createdAt))}\n`)
    ]),
    text(footer)
  ]),
  buttons: [
    [...new Map(chosen.map(({ link }) => [link.id, link])).values()].map(({ id }) =>
      button(`#${id}`, { _tag: "Show", id })
    )
  ]
})

export const WEEKLY_FOOTER = "Every week. Stop: /highlights off"

const make = Effect.gen(function* () {
  const weekly = yield* WeeklyHighlights
  const outbox = yield* Outbox
  return {
    run: weekly.run(Effect.map(allowedChat, Option.getOrUndefined), (chatId, chosen) => {
      const { html, ...content } = recalledContent(chosen, WEEKLY_FOOTER)
      return outbox.add({ ...content, chatId, html: html.html, replyTo: null }, [])
    })
  }
})

export class HighlightMessages extends Service<HighlightMessages>()("HighlightMessages", make) {}
