import { Prompt } from "@effect/cli"
import { Console, Duration, Effect, Option, Redacted } from "effect"
import { ownAddress } from "../../config/Addresses.ts"
import { Setting } from "../../config/Configuration.ts"
import { SettingWriter } from "../../config/SettingWriter.ts"
import { ChatClaims } from "../../library/ChatClaims.ts"
import { SetUp } from "../../library/SetUp.ts"
import { styled } from "../../runtime/Terminal.ts"
import { CredentialStore } from "../../store/signin/CredentialStore.ts"
import { BotSetUp, type WaitingChat } from "../../telegram/BotSetUp.ts"
import { askHidden, orInterrupt } from "../Input.ts"
import {
  connectBot,
  connectExtension,
  connectModel,
  importFile,
  isServiceRunning,
  libraryServices,
  offerSignIn,
  printDone,
  setChat
} from "./Steps.ts"

/** How often an answer that was refused is asked for again. */
const TRIES = 3
const LOOK_INTERVAL = Duration.seconds(1)

const ask = (message: string, preset = "") =>
  Effect.map(orInterrupt(Prompt.run(Prompt.text({ message, default: preset }))), (text) => text.trim())

const confirm = (message: string, initial: boolean) =>
  orInterrupt(Prompt.run(Prompt.confirm({ message, initial })))

const heading = (text: string) => Console.log(`\n${styled("bold", text)}`)

/** Prints why an answer was refused, and asks again; none after too many refusals or without an answer. */
const untilAccepted = <A, B, E extends { readonly message: string }, E2, R, R2>(
  question: Effect.Effect<Option.Option<A>, E2, R>,
  accept: (answer: A) => Effect.Effect<B, E, R2>
): Effect.Effect<Option.Option<B>, E2, R | R2> =>
  Effect.iterate(
    { left: TRIES, done: Option.none<B>() },
    {
      while: ({ left }) => left > 0,
      body: ({ left }) =>
        Effect.flatMap(question, (answer) =>
          Option.match(answer, {
            onNone: () => Effect.succeed({ left: 0, done: Option.none<B>() }),
            onSome: (given) =>
              Effect.matchEffect(accept(given), {
                onSuccess: (value) => Effect.succeed({ left: 0, done: Option.some(value) }),
                onFailure: ({ message }) =>
                  Effect.as(Console.log(`${styled("yellow", "!")} ${message}`), {
                    left: left - 1,
                    done: Option.none<B>()
                  })
              })
          })
        )
    }
  ).pipe(Effect.map(({ done }) => done))

const nonEmpty = (text: string) => (text === "" ? Option.none() : Option.some(text))

const hidden = (message: string) =>
  Effect.map(askHidden(message), (given) =>
    Redacted.value(given).trim() === "" ? Option.none() : Option.some(given)
  )

const signIn = Effect.gen(function* () {
  yield* heading("Signing in")
  const { hasPassword, passkeys } = yield* (yield* CredentialStore).summary
  const isSetUp = hasPassword || passkeys > 0
  if (isSetUp) yield* printDone("A password or a passkey is set up.")
  if (yield* confirm(isSetUp ? "Set up another one?" : "Sign in with a password or a passkey?", !isSetUp))
    yield* offerSignIn
}).pipe(Effect.provide(libraryServices))

const bot = Effect.gen(function* () {
  yield* heading("Telegram bot")
  const state = yield* (yield* BotSetUp).state
  const known = Option.map(state.bot, ({ username }) => username)
  if (Option.isSome(known)) yield* printDone(`The bot is @${known.value}.`)
  if (Option.isSome(state.error)) yield* Console.log(`${styled("yellow", "!")} ${state.error.value}`)
  if (state.isSet && !(yield* confirm("Use another bot?", false))) return known
  if (!state.isSet) yield* Console.log("Write /newbot to @BotFather in Telegram; it answers with a token.")
  const connected = yield* untilAccepted(hidden("Its token (not shown; Enter skips)"), connectBot)
  return Option.orElse(connected, () => known)
})

/** A chat that has written to the bot, with the code that the bot sent there, if a running service has. */
interface AskingChat extends WaitingChat {
  readonly code?: Option.Option<string>
}

/** Waits until `look` finds chats; a failed look may pass. */
const waitFor = <E, R>(
  look: Effect.Effect<ReadonlyArray<AskingChat>, E, R>
): Effect.Effect<ReadonlyArray<AskingChat>, never, R> =>
  Effect.orElseSucceed(look, (): ReadonlyArray<AskingChat> => []).pipe(
    Effect.tap((chats) => (chats.length === 0 ? Effect.sleep(LOOK_INTERVAL) : Effect.void)),
    Effect.repeat({ until: (chats) => chats.length > 0 })
  )

/** The chats that write to the bot, from the running service, or from Telegram while no service fetches updates. */
const chatsThatWrite = Effect.gen(function* () {
  if (yield* isServiceRunning)
    return yield* Effect.flatMap(ChatClaims, ({ candidates }) => waitFor(candidates)).pipe(
      Effect.provide(libraryServices)
    )
  return yield* waitFor((yield* BotSetUp).waitingChats)
})

/** Asks whether a chat is the owner's. Anyone can write to the bot under the owner's name; a code tells the chats apart. */
const isOwners = ({ chatId, code = Option.none(), name }: AskingChat) => {
  const question = Option.match(code, {
    onNone: () => "Yours?",
    onSome: (digits) => `Yours, with the code ${digits}?`
  })
  return confirm(`Message from ${name} (${chatId}). ${question}`, false)
}

const chatByNumber = untilAccepted(
  Effect.map(ask("The number of your chat (Enter skips)"), nonEmpty),
  (number) => setChat({ chatId: Number(number), name: number })
)

const chat = Effect.fnUntraced(function* (username: string) {
  yield* heading("Your chat")
  const known = yield* Effect.orElseSucceed(Setting.allowedChatId.config, Option.none)
  if (Option.isSome(known)) return yield* printDone(`The bot serves the chat ${known.value}.`)
  yield* Console.log(`Write anything to @${username} in Telegram now.`)
  const found = yield* Effect.raceFirst(
    Effect.map(chatsThatWrite, Option.some),
    Effect.as(ask("Waiting for your message (Enter skips)"), Option.none<ReadonlyArray<AskingChat>>())
  )
  if (Option.isNone(found)) return yield* Effect.asVoid(chatByNumber)
  yield* Console.log("")
  for (const one of found.value) if (yield* isOwners(one)) return yield* setChat(one)
})

const extension = Effect.gen(function* () {
  yield* heading("Browser extension")
  const isSet = yield* (yield* SetUp).hasExtension
  if (isSet) yield* printDone("The extension has a token.")
  const question = isSet ? "Replace its token? The old one stops working" : "Connect the browser extension?"
  if (yield* confirm(question, !isSet)) yield* connectExtension("renew")
})

const modelQuestion = Prompt.select({
  message: "Which model writes summaries and tags?",
  choices: [
    { title: "None, or the one that is set", value: "none" as const },
    { title: "Claude, with a key of Anthropic", value: "anthropic" as const },
    { title: "Another one: Ollama, OpenAI, OpenRouter…", value: "other" as const }
  ]
})

const model = Effect.gen(function* () {
  yield* heading("Language model")
  const known = yield* (yield* SetUp).model
  if (Option.isSome(known)) yield* printDone(`The model is ${known.value}.`)
  const kind = yield* orInterrupt(Prompt.run(modelQuestion))
  if (kind === "none") return
  if (kind === "anthropic")
    return yield* Effect.asVoid(
      untilAccepted(hidden("Anthropic's key (not shown; Enter skips)"), (anthropicKey) =>
        connectModel({ anthropicKey })
      )
    )
  const question = Effect.gen(function* () {
    const url = yield* ask("Address of its server", "http://localhost:11434/v1")
    const name = yield* ask("Name of the model, such as llama3.2")
    const key = yield* hidden("Its key, if it needs one (not shown)")
    return Option.some({ url, name, key })
  })
  yield* untilAccepted(question, connectModel)
})

const links = Effect.gen(function* () {
  yield* heading("Links")
  yield* untilAccepted(Effect.map(ask("A file of bookmarks to import (Enter skips)"), nonEmpty), (file) =>
    importFile(file)
  )
})

/** Asks for each part of the set-up on a terminal. Every answer may be empty, and each step takes effect at once. */
export const converse = Effect.gen(function* () {
  const { isWritable, path } = yield* (yield* SettingWriter).target
  const isRunning = yield* isServiceRunning
  yield* Console.log(`Settings are written to ${path}. Enter skips a question, Ctrl+C ends the set-up.`)
  if (!isWritable)
    yield* Console.log(
      `${styled("yellow", "!")} This user may not write there: run the command as its owner.`
    )
  if (!isRunning) yield* Console.log("The service is not running. Start it with `linkbower` afterwards.")
  yield* signIn
  const username = yield* bot
  if (Option.isSome(username)) yield* chat(username.value)
  yield* extension
  yield* model
  yield* links
  yield* Console.log(`\nDone. Your library is at ${yield* ownAddress}/dashboard`)
})
