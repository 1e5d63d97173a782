import { Array, Effect, Option } from "effect"
import type { LinkMessage, MessageRef } from "../domain/Messages.ts"
import { ChatMemory } from "../library/ChatMemory.ts"
import { shortened } from "../shared/Text.ts"
import { button, decode, makeDoublePressGuard } from "./Buttons.ts"
import type { Content } from "./Content.ts"
import type { SaveOffer } from "./MessageText.ts"
import type { ChatUpdate } from "./Update.ts"

/** Maximum length of an address on a button, in UTF-16 units. */
const MAX_LABEL = 40

/** A pressed button: not one of these, one that has expired or was pressed twice, or the link that it saves. */
export type PressedOffer =
  | { readonly _tag: "None" | "Expired" | "Repeated" }
  | { readonly _tag: "Taken"; readonly message: LinkMessage }

export const makeSaveOffers = Effect.gen(function* () {
  const memory = yield* ChatMemory
  const isDoublePress = makeDoublePressGuard()

  return {
    under: Effect.fn("SaveOffers.under")(function* (
      { chatId, messageId, offers }: MessageRef & { readonly offers: ReadonlyArray<SaveOffer> },
      answer: Content
    ) {
      if (offers.length === 0) return answer
      const list = yield* memory.keepOffers(
        offers.map(({ note, tags, url }) => ({ chatId, messageId, urls: [url], note, tags, source: null }))
      )
      const buttons = offers.map(({ label }, index) => [
        button(`Save ${shortened(label, MAX_LABEL)}`, { _tag: "SaveOffer", list, index })
      ])
      return { ...answer, buttons: [...(answer.buttons ?? []), ...buttons] }
    }),
    pressed: Effect.fn("SaveOffers.pressed")(function* (
      arrival: number,
      { chatId, data, messageId }: Extract<ChatUpdate, { readonly _tag: "Callback" }>
    ): Effect.fn.Return<PressedOffer> {
      const press = Option.getOrUndefined(decode(data))
      if (press?._tag !== "SaveOffer") return { _tag: "None" }
      if (isDoublePress({ arrival, data, under: `${chatId} ${messageId}` })) return { _tag: "Repeated" }
      const message = Option.flatMap(yield* memory.keptOffers(press.list), Array.get(press.index))
      return Option.match(message, {
        onNone: () => ({ _tag: "Expired" }),
        onSome: (message) => ({ _tag: "Taken", message })
      })
    })
  }
})
