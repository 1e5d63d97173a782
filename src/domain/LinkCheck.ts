import { Duration, Schema } from "effect"
import { isHttpUrl } from "../shared/WebAddress.ts"
import { IsoTime } from "./IsoTime.ts"

/** `unknown`: not looked at, or untold; `broken`: three failures in a week; `moved`: for good; `changed`: another page. */
export const CheckState = Schema.Literal("unknown", "ok", "broken", "moved", "changed")
export type CheckState = typeof CheckState.Type

const orNull = (description: string) => Schema.NullOr(Schema.String).annotations({ description })

/** What is known about the page behind a link, as the API returns it; times are ISO 8601 in UTC. */
export const ShownCheck = Schema.Struct({
  state: CheckState.annotations({
    description:
      "Whether the page is still there: `broken` after three failures within a week, `moved` if its site redirects it for good, `changed` if another page is served in its place; `unknown` if it has not been looked at."
  }),
  since: orNull("When the state began; for a broken page, when it failed first."),
  reason: orNull("Why the page is broken or changed."),
  to: orNull("The new address of a page that has moved."),
  lookedAt: orNull("When the page was last looked at."),
  archived: Schema.NullOr(
    Schema.Struct({
      url: Schema.String.annotations({ description: "Its address at the Wayback Machine." }),
      at: Schema.String.annotations({ description: "When it was made." })
    })
  ).annotations({
    description:
      "The Wayback Machine's copy of a broken or changed page that is nearest to when it was saved."
  })
}).annotations({ identifier: "Check" })
export type ShownCheck = typeof ShownCheck.Type

/** Maximum length of a reason that is imported, in UTF-16 units. */
const MAX_REASON = 1_000

export const WebAddress = Schema.String.pipe(
  Schema.filter((text) => isHttpUrl(text) || "Expected a web address")
)

/** What is known about the page behind a link, as it is exported; `declined` is as in `LinkCheck`. */
export const ExportedCheck = Schema.Struct({
  ...ShownCheck.fields,
  since: Schema.NullOr(IsoTime),
  reason: Schema.NullOr(Schema.String.pipe(Schema.maxLength(MAX_REASON))),
  to: Schema.NullOr(WebAddress),
  declined: Schema.NullOr(WebAddress),
  lookedAt: Schema.NullOr(IsoTime),
  archived: Schema.NullOr(Schema.Struct({ url: WebAddress, at: IsoTime }))
})
export type ExportedCheck = typeof ExportedCheck.Type

export const notLookedAt: ShownCheck = {
  state: "unknown",
  since: null,
  reason: null,
  to: null,
  lookedAt: null,
  archived: null
}

/** Reasons are for the owner, without a full stop. `notBefore`: the site's wish, in milliseconds since 1970. */
export type Look =
  | { readonly _tag: "Present" }
  | { readonly _tag: "Moved"; readonly to: string }
  | { readonly _tag: "Changed"; readonly reason: string }
  /** `isSilent` if no server answered, which may be our own network's fault. */
  | {
      readonly _tag: "Failed"
      readonly reason: string
      readonly isSilent: boolean
      readonly notBefore?: number
    }
  /** The site answers, but not programs, so nothing is known about the page. */
  | { readonly _tag: "Refused"; readonly notBefore?: number }

/** What is known about the page behind a link. Times are milliseconds since 1970. */
export interface LinkCheck {
  readonly state: CheckState
  /** When the state began: for a broken page, when it failed first. */
  readonly since: number | null
  readonly reason: string | null
  readonly to: string | null
  /** The new address that the owner has declined: the page has moved again only if it is at yet another one. */
  readonly declined: string | null
  /** When the latest looks failed, oldest first: at most `FAILURES`, none once one has found the page. */
  readonly failedAt: ReadonlyArray<number>
  /** How many looks in a row have found the page broken, for the pause until the next one. */
  readonly brokenLooks: number
  readonly lookedAt: number | null
  readonly nextAt: number
}

/** Failures within `FAILURE_PERIOD` after which a page is broken. */
const FAILURES = 3
const FAILURE_PERIOD = Duration.toMillis("7 days")

const DAY = Duration.toMillis("1 day")

export const REGULAR_PAUSE = 60 * DAY

/** Pauses after the first failure and after the second: three of them fit into `FAILURE_PERIOD`. */
const FAILURE_PAUSES = [DAY, 3 * DAY]

/** Failures closer to each other than this count once: the owner may look again and again. */
const MIN_APART = DAY / 4

const BROKEN_PAUSES = [7 * DAY, 14 * DAY, 28 * DAY, REGULAR_PAUSE]

/** How far a pause may differ from its length, as a share of it, so that links saved together are not looked at together. */
const SPREAD = 0.1

/** Multiplies a number's bits into a fraction from 0 to 1 (Knuth's multiplicative hash). */
const fractionOf = (number: number) => (Math.imul(number, 0x9e3779b1) >>> 0) / 2 ** 32

/** A pause of about this length, which differs from link to link and from look to look. */
const spread = (pause: number, id: number, now: number) =>
  Math.round(pause * (1 - SPREAD + 2 * SPREAD * fractionOf(id + Math.floor(now / DAY))))

/** When to look first at a link that was saved just now, unless its page is read before. */
export const soon = (id: number, now: number): number => now + spread(DAY, id, now)

/** A time in the future that no pause reaches: the clock was ahead when it was planned. */
export const implausible = (now: number): number => now + 2 * REGULAR_PAUSE

/** For a link from before there were looks: within the regular pause, so that not all are looked at at once. */
export const firstLookAt = (id: number, now: number): number =>
  now + Math.floor(REGULAR_PAUSE * fractionOf(id))

const settled = (
  check: LinkCheck,
  found: Pick<LinkCheck, "state" | "reason" | "to">,
  id: number,
  now: number
): LinkCheck => ({
  ...found,
  declined: check.declined,
  lookedAt: now,
  since: check.state === found.state && check.to === found.to ? check.since : now,
  failedAt: [],
  brokenLooks: 0,
  nextAt: now + spread(REGULAR_PAUSE, id, now)
})

/** Times that a clock which was set back has left in the future are taken to be now. */
const failed = (check: LinkCheck, reason: string, id: number, now: number): LinkCheck => {
  const before = check.failedAt.map((at) => Math.min(at, now))
  const last = before.at(-1)
  const isAgain = last !== undefined && now - last < MIN_APART
  const failedAt = (isAgain ? before : [...before, now]).slice(-FAILURES)
  const [first = now] = failedAt
  const isBroken = check.state === "broken" || (failedAt.length === FAILURES && now - first <= FAILURE_PERIOD)
  const recent = failedAt.filter((at) => now - at <= FAILURE_PERIOD)
  const pause = isBroken
    ? BROKEN_PAUSES[Math.min(check.brokenLooks, BROKEN_PAUSES.length - 1)]
    : FAILURE_PAUSES[Math.min(recent.length, FAILURE_PAUSES.length) - 1]
  return {
    ...check,
    ...(isBroken
      ? { state: "broken" as const, reason, to: null, since: check.state === "broken" ? check.since : first }
      : {}),
    failedAt: isBroken ? failedAt : recent,
    brokenLooks: isBroken ? check.brokenLooks + (isAgain && check.state === "broken" ? 0 : 1) : 0,
    lookedAt: now,
    nextAt: now + spread(pause ?? REGULAR_PAUSE, id, now)
  }
}

/** Delays the next look to when the site wants it, within reason. */
const heeding = (check: LinkCheck, { notBefore = 0 }: { readonly notBefore?: number }, now: number) => ({
  ...check,
  nextAt: Math.max(check.nextAt, Math.min(notBefore, now + REGULAR_PAUSE))
})

/** What is known about the page behind link `id` after it was read at `now`, which does not tell whether it has moved. */
export const afterReading = (check: LinkCheck, id: number, now: number): LinkCheck =>
  check.state === "moved"
    ? { ...check, failedAt: [], lookedAt: now, nextAt: now + spread(REGULAR_PAUSE, id, now) }
    : afterLook(check, { _tag: "Present" }, id, now)

export const afterLook = (check: LinkCheck, look: Look, id: number, now: number): LinkCheck => {
  switch (look._tag) {
    case "Present":
      return settled(check, { state: "ok", reason: null, to: null }, id, now)
    case "Moved":
      return look.to === check.declined
        ? settled(check, { state: "ok", reason: null, to: null }, id, now)
        : settled(check, { state: "moved", reason: null, to: look.to }, id, now)
    case "Changed":
      return settled(check, { state: "changed", reason: look.reason, to: null }, id, now)
    case "Failed":
      return heeding(failed(check, look.reason, id, now), look, now)
    case "Refused":
      // The site may have refused because of us, so what was known stays, and a series of failures goes on.
      return heeding(
        {
          ...check,
          lookedAt: now,
          nextAt:
            now + spread(check.state !== "broken" && check.failedAt.length > 0 ? DAY : REGULAR_PAUSE, id, now)
        },
        look,
        now
      )
  }
}
