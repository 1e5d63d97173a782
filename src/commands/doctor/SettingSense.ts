import { Effect, Option, Redacted } from "effect"
import { Setting } from "../../domain/Configuration.ts"
import { exposedBy } from "../../gates/DevNoAuth.ts"
import { type Check, fail, type Line, warn } from "./Finding.ts"

/** What guards a door must be as hard to guess as this, in bits. */
const ENOUGH = 128

const GENERATE = "Make one with `openssl rand -hex 16`"

const kinds = [
  { kind: /[a-z]/, characters: 26 },
  { kind: /[A-Z]/, characters: 26 },
  { kind: /[0-9]/, characters: 10 },
  { kind: /[^a-zA-Z0-9]/, characters: 2 }
]

/** How many characters somebody who guesses has to try in each place. */
const alphabetOf = (text: string) => {
  if (/^[0-9a-f]*$/i.test(text)) return /[a-f]/i.test(text) ? 16 : 10
  return kinds.reduce((sum, { characters, kind }) => sum + (kind.test(text) ? characters : 0), 0)
}

/** How hard a text is to guess at the most, in bits; one of few different characters counts as no secret at all. */
export const bitsOf = (text: string): number =>
  new Set(text).size < 8 ? 0 : text.length * Math.log2(alphabetOf(text))

const weak = (name: string, text: string): ReadonlyArray<Line> =>
  bitsOf(text) >= ENOUGH
    ? []
    : [
        warn(
          name,
          "can be guessed: it is short, or of few different characters",
          `${GENERATE}, and set it wherever it is used.`
        )
      ]

/** A setting that does not parse counts as unset here; it has a line of its own. */
const setOr = <A>(setting: Setting<A>, otherwise: A) => Effect.orElseSucceed(setting.config, () => otherwise)

/** What is odd about the settings taken together, and about secrets that are weak. */
export const settingSense: Check<never> = Effect.gen(function* () {
  const webhook = Option.map(yield* setOr(Setting.webhookSecret, Option.none()), Redacted.value)
  const extension = Option.map(yield* setOr(Setting.extensionToken, Option.none()), Redacted.value)
  const audience = yield* setOr(Setting.accessAud, Option.none())
  const team = yield* setOr(Setting.accessTeamDomain, Option.none())
  const host = yield* setOr(Setting.host, "127.0.0.1")
  const publicUrl = Option.getOrUndefined(yield* setOr(Setting.publicUrl, Option.none()))
  const exposing = exposedBy(host, publicUrl)
  const lines: ReadonlyArray<ReadonlyArray<Line>> = [
    Option.match(webhook, {
      onNone: () => [],
      onSome: (text) =>
        /^[A-Za-z0-9_-]{1,256}$/.test(text)
          ? weak("WEBHOOK_SECRET", text)
          : [
              fail(
                "WEBHOOK_SECRET",
                "holds what Telegram does not send: 1 to 256 of A-Z, a-z, 0-9, _ and - may stand there",
                "Unset it and run `linkbower webhook set`, which makes one."
              )
            ]
    }),
    Option.match(extension, { onNone: () => [], onSome: (text) => weak("EXTENSION_TOKEN", text) }),
    Option.isSome(audience) === Option.isSome(team)
      ? []
      : [
          warn(
            Option.isSome(audience) ? "ACCESS_TEAM_DOMAIN" : "ACCESS_AUD",
            `unset, while ${Option.isSome(audience) ? "ACCESS_AUD" : "ACCESS_TEAM_DOMAIN"} is set`,
            "Set both, or neither: with one of them the dashboard stays closed."
          )
        ],
    !(yield* setOr(Setting.devNoAuth, false))
      ? []
      : exposing !== undefined
        ? [
            fail(
              "DEV_NO_AUTH",
              exposing.setting === "HOST"
                ? `1, while HOST=${host} can be reached from other machines`
                : `1, while PUBLIC_URL=${publicUrl} says that others reach the service`,
              `Unset DEV_NO_AUTH, or ${exposing.setting === "HOST" ? "set HOST=127.0.0.1" : "unset PUBLIC_URL"}: the service does not start with both.`
            )
          ]
        : [
            warn(
              "DEV_NO_AUTH",
              "1: every program on this machine may use the dashboard",
              "Unset it, unless this is for development alone."
            )
          ]
  ]
  return lines.flat()
})
