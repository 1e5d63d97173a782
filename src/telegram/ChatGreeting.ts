import { Duration, Effect, Option } from "effect"
import { allowedChat, ChatClaims } from "../library/ChatClaims.ts"
import { Service } from "../runtime/Services.ts"
import { every } from "../runtime/WorkLoop.ts"
import type { ChatMessage } from "./Chat.ts"
import { bold, code, lines, text } from "./Content.ts"
import { Outbox } from "./Outbox.ts"

/** How often the setting of the owner's chat is read. */
const WATCH_INTERVAL = Duration.seconds(1)

/** The message to a chat while the bot has no owner, with the code of six digits that makes the chat the owner's. */
export const codeMessage = (chatId: number, digits: string): ChatMessage => ({
  chatId,
  replyTo: null,
  html: lines(
    [
      text(
        "This bot has no owner yet. If it’s yours, enter this code on its set-up page or in linkbower setup:"
      ),
      bold(code(text(digits))),
      text("It’s valid for an hour. Nothing you send is saved until then.")
    ],
    "\n\n"
  ).html
})

const greetingMessage = (chatId: number): ChatMessage => ({
  chatId,
  replyTo: null,
  html: lines(
    [
      text("✅ Connected: this chat is now the owner’s. Send me a link and I’ll save it."),
      text("I didn’t save what you sent before. Send it again."),
      text("/help lists what I do.")
    ],
    "\n\n"
  ).html
})

const make = Effect.gen(function* () {
  const claims = yield* ChatClaims
  const outbox = yield* Outbox
  const greet = claims.settle(({ chatId }) => outbox.add(greetingMessage(chatId), []))
  let greeted = Option.none<number>()

  const watch = Effect.gen(function* () {
    const chat = yield* allowedChat
    if (Option.getOrNull(chat) === Option.getOrNull(greeted)) return
    yield* greet
    greeted = chat
  })

  return {
    run: every(WATCH_INTERVAL, "greeting the owner's chat", watch)
  }
})

/** Greets the owner in the chat that was claimed, whether by this process, a command or a change by hand. */
export class ChatGreeting extends Service<ChatGreeting>()("ChatGreeting", make) {}
