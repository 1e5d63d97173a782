import { Data, DateTime, Effect, Option, Redacted } from "effect"
import { isDigestOf, secretDigest } from "../runtime/Secret.ts"
import { Service } from "../runtime/Services.ts"
import { CodeStore, type StoredCode } from "../store/signin/CodeStore.ts"

/** Capitals and digits of which no two look alike: without 0 and O; 1, I and L; 2 and Z; 5 and S; 8 and B. */
const ALPHABET = "ACDEFGHJKMNPQRTUVWXY34679"
const GROUP = 5
const CODE = new RegExp(`^[${ALPHABET}]{${2 * GROUP}}$`)

/** How long a code is valid, also in words. */
export const CODE_LIFETIME = "15 minutes"
const MAX_TRIES = 5

export class CodeRefused extends Data.TaggedError("CodeRefused") {}

/** Picks a character by rejection, so that each is equally likely. */
const randomCharacter = (): string => {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
  const limit = 256 - (256 % ALPHABET.length)
  return byte < limit ? ALPHABET.charAt(byte % ALPHABET.length) : randomCharacter()
}

const makeCode = () => Array.from({ length: 2 * GROUP }, randomCharacter).join("")

const shown = (code: string) => `${code.slice(0, GROUP)}-${code.slice(GROUP)}`

/** Returns the code that a person typed, with any spaces, hyphens and small letters; undefined for any other text. */
const parseCode = (text: string): string | undefined => {
  const code = text.replace(/[\s\-–—]/g, "").toUpperCase()
  return CODE.test(code) ? code : undefined
}

/** Whether a code can still be used. The end may not lie further ahead than a new one's: the clock may have been set back. */
const isValid = ({ expiresAt, tries }: StoredCode, now: DateTime.Utc) =>
  tries < MAX_TRIES &&
  DateTime.formatIso(now) < expiresAt &&
  expiresAt <= DateTime.formatIso(DateTime.addDuration(now, CODE_LIFETIME))

const make = Effect.gen(function* () {
  const store = yield* CodeStore

  const useUp = Effect.fnUntraced(function* (typed: string, isSetUp: boolean) {
    const code = parseCode(typed)
    if (code === undefined) return yield* new CodeRefused()
    const tried = yield* store.tryOnce(code.slice(0, GROUP), MAX_TRIES)
    if (Option.isNone(tried)) return yield* new CodeRefused()
    const { origin, secret, tries } = tried.value
    const isRight =
      isDigestOf(secret, code) &&
      // The try that was just counted is one of the five.
      isValid({ ...tried.value, tries: tries - 1 }, yield* DateTime.now) &&
      !(isSetUp && origin === "log")
    // Only one of several concurrent requests with the right code removes it.
    if (!isRight || !(yield* store.remove(secret))) return yield* new CodeRefused()
  })

  return {
    /** Makes a code, which replaces the last one; `origin` says where it will be shown. */
    make: Effect.fn("OneTimeCodes.make")(function* (origin: StoredCode["origin"]) {
      const code = makeCode()
      const expiresAt = DateTime.formatIso(DateTime.addDuration(yield* DateTime.now, CODE_LIFETIME))
      yield* store.set({ first: code.slice(0, GROUP), secret: secretDigest(code), origin, expiresAt })
      return Redacted.make(shown(code))
    }),
    hasValid: Effect.gen(function* () {
      const current = yield* store.current
      const now = yield* DateTime.now
      return Option.exists(current, (code) => isValid(code, now))
    }),
    /** A code from the log is refused once a way to sign in `isSetUp`; one that a command printed never is. */
    redeem: Effect.fn("OneTimeCodes.redeem")(useUp)
  }
})

/**
 * One-time codes of two groups of five characters (46 bits), which show that a person can read the service's log or its
 * terminal. One is valid at a time, for 15 minutes, one use and five tries. A try counts if its first group is right, so
 * that strangers cannot use up the tries of a code that they have not seen.
 */
export class OneTimeCodes extends Service<OneTimeCodes>()("OneTimeCodes", make) {}
