import { describe, expect } from "bun:test"
import { Layer, Option } from "effect"
import { Callers } from "../../src/gates/Callers.ts"
import { OneTimeCodes } from "../../src/gates/OneTimeCodes.ts"
import { Sessions } from "../../src/gates/Sessions.ts"
import { SignInWays } from "../../src/gates/SignInWays.ts"
import { libraryTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { withSettings } from "../support/loopback.ts"

const it = libraryTest(
  SignInWays.layer.pipe(
    Layer.provide(Layer.merge(OneTimeCodes.layer, Layer.provide(Sessions.layer, Callers.layer))),
    Layer.provideMerge(stores())
  )
)

describe("the bot asks whether a browser may sign in", () => {
  const bot = { TELEGRAM_BOT_TOKEN: "123456:a-bot-token", ALLOWED_CHAT_ID: "4242" }
  const gateway = { ACCESS_AUD: "a".repeat(64), ACCESS_TEAM_DOMAIN: "https://team.example" }
  const provider = { OIDC_ISSUER: "https://auth.example", OIDC_CLIENT_ID: "x", OIDC_ALLOW: "ann" }
  const proxy = { TRUSTED_PROXY: "127.0.0.1", TRUSTED_HEADER: "Remote-User: ann" }
  for (const [why, asks, settings] of [
    ["with a bot and a private chat", true, bot],
    ["without a token", false, { ALLOWED_CHAT_ID: "4242" }],
    ["without a chat", false, { TELEGRAM_BOT_TOKEN: "123456:a-bot-token" }],
    ["in a group, whose members could press it", false, { ...bot, ALLOWED_CHAT_ID: "-1001234" }],
    ["while it is off", false, { ...bot, SIGNIN_BOT: "off" }],
    ["with an invalid switch", false, { ...bot, SIGNIN_BOT: "yes" }],
    ["beside an access gateway", false, { ...bot, ...gateway }],
    ["beside a provider", false, { ...bot, ...provider }],
    ["beside a trusted proxy", false, { ...bot, ...proxy }],
    ["beside them all, if it is on", true, { ...bot, ...gateway, ...provider, ...proxy, SIGNIN_BOT: "on" }]
  ] as const)
    it(`${asks ? "" : "not "}${why}`, function* () {
      const { botChat } = yield* SignInWays
      expect(yield* withSettings(settings)(botChat)).toEqual(asks ? Option.some(4242) : Option.none())
    })
})
