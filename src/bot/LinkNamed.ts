import { Effect, Option, Schema } from "effect"
import { type Link, LinkId } from "../domain/Link.ts"
import { LinkStore } from "../store/LinkStore.ts"
import { type MessageRef, MessageStore } from "../store/MessageStore.ts"
import { told } from "./Told.ts"
import type { ChatUpdate } from "./Update.ts"

const isLinkId = Schema.is(LinkId)

/** A link's number, `#12` or `12`, at the beginning of a text, and what follows it. */
export const leadingNumber = (
  text: string
): { readonly id: LinkId; readonly rest: string; readonly marked: boolean } | undefined => {
  const [, mark, digits = "", rest = ""] = /^(#?)(\d{1,15})(?:\s+([\s\S]*))?$/.exec(text) ?? []
  const id = Number(digits)
  return digits !== "" && isLinkId(id) ? { id, rest, marked: mark === "#" } : undefined
}

/** Finds the link that a message or a command is about. */
export const makeLinkNamed = Effect.gen(function* () {
  const links = yield* LinkStore
  const messages = yield* MessageStore

  /** The one link that a message is about; none where there are several. */
  const ofMessage = Effect.fn("LinkNamed.ofMessage")(function* (message: MessageRef) {
    const [about, ...more] = yield* messages.linksOf(message)
    return about === undefined || more.length > 0
      ? Option.none<Link>()
      : yield* Effect.option(links.get(about.linkId))
  })

  const byNumber = Effect.fn("LinkNamed.byNumber")((id: LinkId) =>
    Effect.mapError(links.get(id), ({ message }) => told(message))
  )

  return {
    ofMessage,
    byNumber,
    /**
     * The link a command names by its number, else the one whose message it answers, and the rest of what it says.
     * Where text may follow, a number without `#` in an answer is a part of it.
     */
    ofCommand: Effect.fn("LinkNamed.ofCommand")(function* (
      { args, chatId, name, replyTo }: Extract<ChatUpdate, { readonly _tag: "Command" }>,
      textFollows: boolean
    ) {
      const answered =
        replyTo === null ? Option.none<Link>() : yield* ofMessage({ chatId, messageId: replyTo })
      const number = leadingNumber(args)
      const isText = Option.isSome(answered) && textFollows && number?.marked === false
      if (number !== undefined && !isText) return { link: yield* byNumber(number.id), rest: number.rest }
      if (Option.isSome(answered)) return { link: answered.value, rest: args }
      const example = textFollows ? `/${name} 12 …` : `/${name} 12`
      return yield* told(`Say which link: ${example}, or answer its card with /${name}.`)
    })
  }
})
