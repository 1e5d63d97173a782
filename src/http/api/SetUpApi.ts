import { Schema } from "effect"
import { get, group, post } from "./Endpoint.ts"
import { BadRequest, Conflict, NotFound, TooManyRequests, Unavailable, WrongCode } from "./Failures.ts"
import { described } from "./Input.ts"
import { AccessGate } from "./Middleware.ts"

/** A chat's number: users have positive ones, groups negative ones. */
const ChatNumber = Schema.Int.pipe(Schema.filter((number) => number !== 0 && Number.isSafeInteger(number)))

const Candidate = Schema.Struct({
  chatId: ChatNumber,
  name: Schema.String,
  code: Schema.optional(described(Schema.String, "The code that the bot sent there, until it is void."))
})

/** The parts that can be asked whether they work. */
const TestedPart = Schema.Literal("bot", "model", "embedder", "pages", "github", "openid", "address")
export type TestedPart = typeof TestedPart.Type

const TestRequest = Schema.Struct({ part: TestedPart })
export const TestAnswer = Schema.Struct({
  state: described(Schema.Literal("works", "fails", "off"), "`off` if the part is not set up."),
  says: described(Schema.String, "How it answered, in words.")
})

/** Which parts are connected. */
export const SetUpAnswer = Schema.Struct({
  bot: Schema.Struct({
    isSet: Schema.Boolean,
    username: Schema.NullOr(Schema.String),
    error: described(Schema.NullOr(Schema.String), "Why Telegram does not tell the bot's name."),
    mode: described(Schema.Literal("polling", "webhook", "off"), "How updates reach the service now.")
  }),
  chat: Schema.Struct({
    isSet: Schema.Boolean,
    candidates: described(
      Schema.Array(Candidate),
      "The chats that wrote to the bot within the last hour, while it had no owner; the last one first."
    )
  }),
  extension: Schema.Struct({
    isSet: described(Schema.Boolean, "Whether there is a token."),
    isConnected: described(Schema.Boolean, "Whether a browser has used it since the service started."),
    address: Schema.String
  }),
  model: Schema.Struct({ isSet: Schema.Boolean, name: Schema.NullOr(Schema.String) }),
  provider: described(Schema.NullOr(Schema.String), "The host of the identity provider; null without one."),
  links: Schema.Int,
  writesTo: described(
    Schema.NullOr(Schema.String),
    "Where settings are written: the name of the file, or `SECRETS_DIR`; null if the service may not write there."
  )
})
export type SetUpAnswer = typeof SetUpAnswer.Type

/** Longest texts that are read: those of real use are far shorter. */
const text = (longest: number) => Schema.String.pipe(Schema.minLength(1), Schema.maxLength(longest))
const secret = Schema.Redacted(text(1_024))

const BotToken = Schema.Struct({ token: secret })
const BotAnswer = Schema.Struct({ username: Schema.String, name: Schema.String })

const ClaimedChat = Schema.Union(Schema.Struct({ code: text(64) }), Schema.Struct({ chatId: ChatNumber }))
const ChatAnswer = Schema.Struct({ chatId: ChatNumber, name: Schema.String })

const ExtensionRequest = Schema.Struct({ renew: Schema.optional(Schema.Boolean) })
const ExtensionAnswer = Schema.Struct({
  address: Schema.String,
  token: Schema.String,
  link: described(Schema.String, "The page at which the extension takes address and token over.")
})

const ModelRequest = Schema.Union(
  Schema.Struct({ anthropicKey: secret }),
  Schema.Struct({
    url: text(2_048),
    name: Schema.optionalWith(Schema.String.pipe(Schema.maxLength(200)), { default: () => "" }),
    key: Schema.optional(secret)
  })
)
export type ModelRequest = typeof ModelRequest.Type
const ModelAnswer = Schema.Struct({ name: Schema.String })

/** The owner's set-up of the parts that a new library starts without. */
export const setUp = group(
  "setUp",
  {
    place: "/dashboard",
    fails: [BadRequest, NotFound, Conflict, Unavailable],
    says: "Gate 4, as above: connects the parts of a new library. Only these settings can be written over HTTP, and no answer has a secret but the extension's token."
  },
  get("state", "/api/setup", "Says which parts are connected: bot, chat, extension, model", {
    answer: SetUpAnswer
  }),
  post("bot", "/api/setup/bot", "Connects the bot", {
    body: BotToken,
    answer: BotAnswer,
    more: "Checks the token with Telegram and writes it. The service then fetches the bot's updates, unless a webhook is registered."
  }),
  post("chat", "/api/setup/chat", "Makes a chat the owner's", {
    body: ClaimedChat,
    answer: ChatAnswer,
    fails: [WrongCode.schema],
    more: "By the code that the bot sent there, or by the number of a chat that wrote to it. With a chat set already, 409."
  }),
  post("extension", "/api/setup/extension", "Returns what the extension needs", {
    body: ExtensionRequest,
    answer: ExtensionAnswer,
    more: "Makes a token unless one is set. With `renew`, a new one replaces it, and an extension with the old one can no longer save."
  }),
  post("model", "/api/setup/model", "Connects the language model", {
    body: ModelRequest,
    answer: ModelAnswer,
    more: "With Anthropic's key, or the address of a server with an OpenAI-compatible API. Tries it with one request and writes its settings; what selected another model is unset."
  }),
  post("test", "/api/setup/test", "Tests a connection", {
    body: TestRequest,
    answer: TestAnswer,
    fails: [TooManyRequests.schema],
    more: "Asks the bot, the model, the embedder, saved sites, GitHub, the identity provider or the public address with one request, which ends within 20 seconds. At most 20 at once, and one more every 5 seconds."
  })
).middlewareEndpoints(AccessGate)
