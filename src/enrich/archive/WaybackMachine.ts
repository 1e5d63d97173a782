import { type ConfigError, Data, Duration, Effect, Option, Schema } from "effect"
import { Setting } from "../../config/Configuration.ts"
import { Service } from "../../runtime/Services.ts"
import { MAX_ADDRESS } from "../../shared/Limits.ts"
import { Measure } from "../../telemetry/Metrics.ts"
import { isPublic, literalOf } from "../fetch/Destination.ts"
import { type FetchError, Fetcher, isExempt } from "../fetch/Fetcher.ts"

const privateName =
  /(?:^|\.)(?:localhost|local|lan|home|internal|intranet|private|corp|home\.arpa|test|invalid|onion)$/

/** Names of parameters whose value gives access, in lower case without separators. */
const secretName =
  /token|secret|passw|passphrase|^pass$|^pwd$|^pin$|apikey|accesskey|privatekey|^key$|authkey|^auth$|authorization|credential|signature|^sig$|^sign$|session|^sid$|phpsessid|^jwt$|^code$|^otp$|^nonce$|^hash$|^hmac$|^invite|^magic|^ticket$|^oobcode$/

/** A value or path segment that cannot be guessed: a UUID, a long hexadecimal number, a signed token. */
const unguessable =
  /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|(?<![\da-z])[\da-f]{32,}(?![\da-z])|^eyJ[\w-]{8,}/i

/** Whether a text is a long run of mixed letters and digits, as random names are and words are not. */
const isRandom = (text: string): boolean =>
  text
    .split(/[^A-Za-z0-9_-]/)
    .some(
      (run) =>
        run.length >= 20 &&
        /\d/.test(run) &&
        /[a-z]/.test(run) &&
        /[A-Z]/.test(run) &&
        (run.match(/[a-z][A-Z]|\d[A-Za-z]|[A-Za-z]\d/g)?.length ?? 0) >= 5
    )

const isSecret = (text: string) => unguessable.test(text) || isRandom(text)

/** False in doubt: other ports, logins, private networks, and whatever looks like a secret. */
export const isArchivable = (url: URL): boolean => {
  const literal = literalOf(url)
  const isPublicHost =
    literal === undefined
      ? url.hostname.includes(".") && !privateName.test(url.hostname.replace(/\.$/, ""))
      : isPublic(literal)
  return (
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}${url.port}` === "" &&
    isPublicHost &&
    !url.pathname.split("/").some(isSecret) &&
    ![...url.searchParams].some(
      ([name, value]) =>
        secretName.test(name.toLowerCase().replace(/[^a-z]/g, "")) || isSecret(value) || isSecret(name)
    )
  )
}

export const withoutFragment = ({ href }: URL): string => href.replace(/#.*$/, "")

/** A copy of a page at the Wayback Machine; `at` is when it was made, as an ISO 8601 time in UTC. */
export interface Capture {
  readonly url: string
  readonly at: string
}

/** The archive did not answer, or refused; `pause` is how long it asks to wait. */
export class ArchiveError extends Data.TaggedError("ArchiveError")<{
  readonly reason: FetchError["reason"] | "answer"
  readonly status?: number | undefined
  readonly pause?: Duration.Duration
}> {}

/** The answer of the availability API (https://archive.org/help/wayback_api.php). */
const Available = Schema.parseJson(
  Schema.Struct({
    archived_snapshots: Schema.Struct({
      closest: Schema.optional(
        Schema.Struct({ available: Schema.Boolean, url: Schema.String, timestamp: Schema.String })
      )
    })
  })
)
const decodeAvailable = Schema.decodeUnknown(Available)

/** An ISO 8601 time as the archive writes it: `20060101000000`. */
const stampOf = (iso: string) => iso.replace(/\D/g, "").slice(0, 14)

const timeOf = (stamp: string): string | undefined => {
  if (!/^\d{14}$/.test(stamp)) return undefined
  const time = Date.parse(stamp.replace(/^(....)(..)(..)(..)(..)(..)$/, "$1-$2-$3T$4:$5:$6.000Z"))
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

/** The archive's own address of a copy, with https; undefined for any other address. */
const captureUrl = (text: string): string | undefined => {
  const url = text.length > 2 * MAX_ADDRESS ? null : URL.parse(text)
  if (url === null || url.hostname !== "web.archive.org" || !/^https?:$/.test(url.protocol)) return undefined
  if (`${url.username}${url.password}${url.port}` !== "" || !url.pathname.startsWith("/web/"))
    return undefined
  url.protocol = "https:"
  return url.href
}

const MAX_ANSWER = 65_536

const make = Effect.gen(function* () {
  const fetcher = yield* Fetcher

  const get = (address: Effect.Effect<URL, ConfigError.ConfigError>) =>
    address.pipe(
      Effect.mapError(() => new ArchiveError({ reason: "bad-address" })),
      Effect.flatMap((url) =>
        Effect.mapError(
          fetcher.fetch(url, {
            accept: "application/json, text/html;q=0.9",
            readable: () => true,
            maxBytes: MAX_ANSWER
          }),
          ({ pause, reason, status }) =>
            new ArchiveError({
              reason,
              status,
              ...(pause === undefined ? {} : { pause: Duration.millis(pause) })
            })
        )
      )
    )

  return {
    /** Whether the archive may learn this address, by its form and by FETCH_ALLOW. */
    mayKnow: (url: URL) =>
      isArchivable(url) ? Effect.map(isExempt(url), (exempt) => !exempt) : Effect.succeed(false),
    /** `None` for a page that is not in the archive. */
    nearest: Effect.fn("WaybackMachine.nearest")((url: URL, time: string) =>
      get(
        Effect.map(Setting.archiveUrl.config, (base) => {
          const asked = new URL("/wayback/available", base)
          asked.search = new URLSearchParams({
            url: withoutFragment(url),
            timestamp: stampOf(time)
          }).toString()
          return asked
        })
      ).pipe(
        Effect.flatMap(({ body }) =>
          Effect.mapError(
            decodeAvailable(new TextDecoder().decode(body)),
            () => new ArchiveError({ reason: "answer" })
          )
        ),
        Effect.map(({ archived_snapshots: { closest } }) => {
          const [address, at] = [captureUrl(closest?.url ?? ""), timeOf(closest?.timestamp ?? "")]
          return closest?.available === true && address !== undefined && at !== undefined
            ? Option.some<Capture>({ url: address, at })
            : Option.none<Capture>()
        }),
        Effect.tapBoth({
          onSuccess: (found) => Measure.archiveRequests.count(Option.isSome(found) ? "found" : "none"),
          onFailure: () => Measure.archiveRequests.count("failed")
        })
      )
    ),
    submit: Effect.fn("WaybackMachine.submit")((url: URL) =>
      get(
        Effect.map(Setting.archiveSaveUrl.config, (base) => new URL(`${base}${withoutFragment(url)}`))
      ).pipe(
        Effect.asVoid,
        Effect.tapBoth({
          onSuccess: () => Measure.archiveRequests.count("submitted"),
          onFailure: () => Measure.archiveRequests.count("refused")
        })
      )
    )
  }
})

export class WaybackMachine extends Service<WaybackMachine>()("WaybackMachine", make) {}
