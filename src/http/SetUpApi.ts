import { HttpApiBuilder } from "@effect/platform"
import { Effect, Option, Redacted } from "effect"
import { SettingNotWritten, SettingWriter, targetName } from "../config/SettingWriter.ts"
import { OpenIdConnect, providerHost } from "../gates/OpenIdConnect.ts"
import { ExtensionUse, isExtensionConnected } from "../gates/SecretGates.ts"
import { allowedChat, ChatClaims, type ClaimRefused } from "../library/ChatClaims.ts"
import { ChatDelivery } from "../library/ChatDelivery.ts"
import { LinkQueries } from "../library/LinkQueries.ts"
import { type ModelSetUp, SetUp } from "../library/SetUp.ts"
import { TestConnections, type Tested } from "../library/TestConnections.ts"
import { makeTokenBuckets, type Rate } from "../runtime/RateLimit.ts"
import { monotonicMillis } from "../runtime/Throttle.ts"
import { count } from "../shared/Format.ts"
import { handoverLink } from "../shared/Handover.ts"
import { BotSetUp } from "../telegram/BotSetUp.ts"
import { Api } from "./api/Api.ts"
import { Conflict, NotFound, tooManyRequests, WrongCode } from "./api/Failures.ts"
import type { ModelRequest, SetUpAnswer, TestedPart } from "./api/SetUpApi.ts"
import { baseAddress } from "./BaseAddress.ts"

const settingNotWritten = ({ message, name }: SettingNotWritten) =>
  Effect.zipRight(
    Effect.logWarning(message),
    new Conflict(
      `The service cannot write ${name}, and its log says why. Run \`linkbower set ${name}\` on its machine.`
    )
  )

/** Answers with 409 if a setting cannot be written; paths of files are only in the log. */
export const written = <A, E, R>(work: Effect.Effect<A, E | SettingNotWritten, R>) =>
  Effect.catchIf(work, (error) => error instanceof SettingNotWritten, settingNotWritten)

const claimRefused = ({ reason, triesLeft = 0 }: ClaimRefused) => {
  switch (reason) {
    case "claimed":
      return new Conflict(
        "The bot has an owner already. To change it, run `linkbower set ALLOWED_CHAT_ID --unset` first."
      )
    case "wrong-code":
      return new WrongCode(
        triesLeft === 0
          ? "This code is wrong, or there were too many wrong ones. Write to the bot again for a new code."
          : `This code is wrong. ${count(triesLeft, "try is", "tries are")} left.`
      )
    case "unknown-chat":
      return new NotFound("This chat has not written to the bot within the last hour.")
    case "overridden":
      return new Conflict("Another source of settings decides ALLOWED_CHAT_ID. Set it there.")
  }
}

/** Each test asks somebody outside. */
const TESTS: Rate = { burst: 20, perSecond: 0.2 }

const notSetUp = { state: "off", says: "Not connected." } as const
const answerOf = ({ says, works }: Tested) => ({
  state: works ? ("works" as const) : ("fails" as const),
  says
})

const modelOf = (given: ModelRequest): ModelSetUp =>
  "anthropicKey" in given
    ? given
    : { url: given.url.trim(), name: given.name.trim(), key: Option.fromNullable(given.key) }

/** Handles the set-up of the bot, its chat, the extension and the language model. */
export const layer = HttpApiBuilder.group(
  Api,
  "setUp",
  Effect.fn(function* (handlers) {
    const bots = yield* BotSetUp
    const claims = yield* ChatClaims
    const delivery = yield* ChatDelivery
    const extensionUse = yield* ExtensionUse
    const links = yield* LinkQueries
    const setUp = yield* SetUp
    const writer = yield* SettingWriter
    const connections = yield* TestConnections
    const provider = yield* OpenIdConnect
    const take = makeTokenBuckets(TESTS, 1)

    const testBot = Effect.gen(function* () {
      yield* bots.forget
      const { bot, error, isSet } = yield* bots.state
      if (!isSet) return Option.none()
      return Option.some({
        works: Option.isSome(bot),
        says: Option.match(bot, {
          onNone: () => Option.getOrElse(error, () => "Telegram does not know it."),
          onSome: ({ username }) => `@${username} answers.`
        })
      })
    })

    const testProvider = Effect.gen(function* () {
      const host = yield* providerHost
      if (Option.isNone(host)) return Option.none()
      return Option.some(
        yield* Effect.match(provider.test, {
          onSuccess: () => ({ works: true, says: `${host.value} answers.` }),
          onFailure: () => ({ works: false, says: `${host.value} does not answer. The log says why.` })
        })
      )
    })

    const test = Effect.fn("SetUpApi.test")(function* (part: TestedPart) {
      const wait = take("", yield* monotonicMillis)
      if (wait > 0) return yield* tooManyRequests(wait, "Too many tests. Try again in a moment.")
      const tested =
        part === "bot"
          ? yield* testBot
          : part === "openid"
            ? yield* testProvider
            : yield* connections.test(part)
      return Option.match(tested, { onNone: () => notSetUp, onSome: answerOf })
    })

    const state = Effect.gen(function* () {
      const { bot, error, isSet } = yield* bots.state
      const model = yield* setUp.model
      const target = yield* writer.target
      const answer: SetUpAnswer = {
        bot: {
          isSet,
          username: Option.getOrNull(Option.map(bot, ({ username }) => username)),
          error: Option.getOrNull(error),
          mode: yield* delivery.way
        },
        chat: {
          isSet: Option.isSome(yield* allowedChat),
          candidates: (yield* claims.candidates).map(({ chatId, code, name }) => ({
            chatId,
            name,
            ...(Option.isSome(code) ? { code: code.value } : {})
          }))
        },
        extension: {
          isSet: yield* setUp.hasExtension,
          isConnected: yield* Effect.provideService(isExtensionConnected, ExtensionUse, extensionUse),
          address: yield* baseAddress
        },
        model: { isSet: Option.isSome(model), name: Option.getOrNull(model) },
        provider: Option.getOrNull(yield* providerHost),
        links: (yield* links.counts).links,
        writesTo: target.isWritable ? targetName(target) : null
      }
      return answer
    }).pipe(Effect.withSpan("SetUpApi.state"))

    const extension = Effect.fn("SetUpApi.extension")(function* (how: "keep" | "renew") {
      const address = yield* baseAddress
      const token = Redacted.value(yield* setUp.extensionToken(how))
      return { address, token, link: handoverLink({ address, token }) }
    })

    return handlers
      .handle("state", () => state)
      .handle("test", ({ payload }) => test(payload.part))
      .handle("bot", ({ payload }) => written(bots.connect(payload.token)))
      .handle("chat", ({ payload }) =>
        claims.claim(payload).pipe(
          Effect.map(({ chatId, name }) => ({ chatId, name })),
          Effect.provideService(SettingWriter, writer),
          Effect.catchTags({ ClaimRefused: claimRefused }),
          written
        )
      )
      .handle("extension", ({ payload }) => written(extension(payload.renew === true ? "renew" : "keep")))
      .handle("model", ({ payload }) =>
        written(Effect.map(setUp.useModel(modelOf(payload)), (name) => ({ name })))
      )
  })
)
