import { Cause, Effect, Option } from "effect"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import type { Answering } from "./Answering.ts"
import { decode, type Press } from "./Buttons.ts"
import { Chat } from "./Chat.ts"
import { plainOf } from "./Html.ts"
import { type LinkPress, makeLinkPresses } from "./LinkPresses.ts"
import { makeListPresses } from "./ListPresses.ts"
import { makePressedTwice } from "./Pressed.ts"
import { type Notice, screenOf } from "./Screen.ts"
import { atOnce, type Prepared, told } from "./Told.ts"
import type { ChatUpdate } from "./Update.ts"

type Callback = Extract<ChatUpdate, { readonly _tag: "Callback" }>

/** The longest notice the platform shows, in UTF-16 units. */
const MAX_NOTICE = 200

const isAboutLink = (press: Press): press is LinkPress => "id" in press && !("job" in press)

/** Does what pressed buttons ask for. Every press is acknowledged, whatever comes of it. */
export const makeCallbacks = Effect.fnUntraced(function* (answering: Answering) {
  const chat = yield* Chat
  const ofLink = yield* makeLinkPresses
  const ofList = yield* makeListPresses
  const pressedTwice = makePressedTwice()

  const workOf = (arrival: number, callback: Callback): Prepared<Notice> => {
    const { chatId, data, messageId } = callback
    if (pressedTwice({ arrival, data, under: `${chatId} ${messageId}` })) return atOnce(Effect.succeed(null))
    const screen = screenOf(answering, callback)
    return Option.match(decode(data), {
      onNone: () => told("This button is old."),
      onSome: (press) => (isAboutLink(press) ? ofLink(screen, press) : ofList(screen, press))
    })
  }

  const acknowledge = ({ id }: Callback, notice: Notice) =>
    notice === null ? chat.acknowledge(id) : chat.acknowledge(id, notice.slice(0, MAX_NOTICE).toWellFormed())

  return {
    press: Effect.fn("Callbacks.press")(
      (arrival: number, callback: Callback): Effect.Effect<void, StoreUnavailable> =>
        answering
          .carriedOut(
            arrival,
            Effect.suspend(() => workOf(arrival, callback)),
            ({ html }) => Effect.succeed<Notice>(plainOf(html.html))
          )
          .pipe(
            Effect.tapErrorCause((cause) =>
              Cause.isInterruptedOnly(cause)
                ? Effect.void
                : acknowledge(callback, "Something went wrong. I try again.")
            ),
            Effect.flatMap((notice) => acknowledge(callback, notice))
          )
    )
  }
})
