import { Console, Effect, Layer, Option, Redacted } from "effect"
import { ownAddress } from "../../config/Addresses.ts"
import { Setting } from "../../config/Configuration.ts"
import { SettingWriter } from "../../config/SettingWriter.ts"
import { CODE_LIFETIME, OneTimeCodes } from "../../gates/OneTimeCodes.ts"
import { ChatClaims } from "../../library/ChatClaims.ts"
import { type ModelSetUp, SetUp } from "../../library/SetUp.ts"
import { styled } from "../../runtime/Terminal.ts"
import { handoverLink } from "../../shared/Handover.ts"
import { ClaimStore } from "../../store/chat/ClaimStore.ts"
import { Lock } from "../../store/Lock.ts"
import { CodeStore } from "../../store/signin/CodeStore.ts"
import { CredentialStore } from "../../store/signin/CredentialStore.ts"
import { BotSetUp, type WaitingChat } from "../../telegram/BotSetUp.ts"
import * as Import from "../Import.ts"
import { libraryDatabase } from "../Library.ts"

/** For the steps that need no library: they read and write settings, and ask the services that the settings name. */
export const settingServices = Layer.merge(SetUp.layer, BotSetUp.layer)

/** The parts of a library that the set-up shares with a running service; creates the library if it does not exist. */
export const libraryServices = Layer.mergeAll(
  OneTimeCodes.layer,
  Layer.provide(ChatClaims.layer, ClaimStore.layer)
).pipe(
  Layer.provide(CodeStore.layer),
  Layer.provideMerge(CredentialStore.layer),
  Layer.provide(libraryDatabase("make"))
)

/** Whether a service uses the library; if that cannot be told, one might. */
export const isServiceRunning = Effect.flatMap(Setting.dataDir.config, (folder) =>
  Effect.scoped(Lock.ifFree(folder)).pipe(
    Effect.map((isFree) => !isFree),
    Effect.orElseSucceed(() => true)
  )
)

export const printDone = (text: string) => Console.log(`${styled("green", "✓")} ${text}`)

export const offerSignIn = Effect.gen(function* () {
  const code = Redacted.value(yield* (yield* OneTimeCodes).make("command"))
  yield* printDone(
    `Open ${yield* ownAddress}/setup within ${CODE_LIFETIME} and enter the code ${styled("bold", code)}`
  )
})

export const connectBot = Effect.fn("SetUp.connectBot")(function* (token: Redacted.Redacted) {
  const { username } = yield* (yield* BotSetUp).connect(token)
  yield* printDone(`The bot is @${username}.`)
  return username
})

/** Makes a chat the owner's by its number. */
export const setChat = Effect.fn("SetUp.setChat")(function* ({ chatId, name }: WaitingChat) {
  yield* (yield* SettingWriter).write(Setting.allowedChatId.name, String(chatId))
  const whose = name === String(chatId) ? name : `${name} (${chatId})`
  yield* printDone(`The bot serves the chat of ${whose} and no other.`)
})

/** Connects the extension and prints what it needs; the token is printed only when it was just made. */
export const connectExtension = Effect.fn("SetUp.connectExtension")(function* (how: "keep" | "renew") {
  const setUp = yield* SetUp
  if (how === "keep" && (yield* setUp.hasExtension))
    return yield* printDone("The extension has a token already. To replace it, pass --renew-extension.")
  const token = Redacted.value(yield* setUp.extensionToken(how))
  yield* printDone("Open this address in the browser that has the extension, and click its button there:")
  yield* Console.log(`  ${handoverLink({ address: yield* ownAddress, token })}`)
})

export const connectModel = Effect.fn("SetUp.connectModel")(function* (model: ModelSetUp) {
  yield* printDone(`The model is ${yield* (yield* SetUp).useModel(model)}.`)
})

export const importFile = (file: string) =>
  Import.command.handler({
    file: Option.some(file),
    takeBack: Option.none(),
    force: false,
    format: Option.none(),
    keepShared: false,
    later: false
  })
