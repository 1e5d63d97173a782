import { Data, Effect, Option, Redacted } from "effect"
import { Service } from "../runtime/Services.ts"
import { MAX_PASSWORD, MIN_PASSWORD } from "../shared/Limits.ts"
import { CredentialStore } from "../store/signin/CredentialStore.ts"
import { GUESSES, GUESSES_IN_ALL, makeAttempts, TooManyAttempts } from "./Attempts.ts"
import { Callers } from "./Callers.ts"
import type { Request } from "./Verifier.ts"

/** Hashing takes 64 MB of memory, so only one runs at a time. */
const CONCURRENT = 1
/**
 * Maximum number of passwords that wait for their hash: of strangers, and as many of browsers that the owner has used.
 */
const MAX_WAITING = 8
/** When a password that found the queue full may be tried again, in seconds. */
const RETRY = 2

/** Hash of a discarded password, at Bun's default cost: without a password, an attempt takes as long as with one. */
const UNKNOWN_PASSWORD =
  "$argon2id$v=19$m=65536,t=2,p=1$Helte3wSgoxCJa/1PWmNmhJozGeeGQZf1QrS9MXhTS4$ZdtuAGdXtE6eBfvd0lOIUZyOrFIjwldpRkLCKCtAu2M"

/** The password is wrong, none is set, or it has changed meanwhile. */
export class PasswordWrong extends Data.TaggedError("PasswordWrong") {}

/** The password cannot be used; `message` says why. */
export class PasswordUnusable extends Data.TaggedError("PasswordUnusable")<{ readonly message: string }> {}

/** Returns a text in the form in which it is hashed: keyboards write the same letter in several ways (RFC 8265, 4.2). */
const normalized = (password: Redacted.Redacted) => Redacted.value(password).normalize("NFC")

const isTooLong = (text: string) => Buffer.byteLength(text) > MAX_PASSWORD

const bareAddress = (text: string) =>
  text
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/^www\./, "")
    .replace(/\/.*$/, "")

/** Returns why a new password cannot be used, if so; `host` is that of the service's address. */
export const passwordProblem = (password: Redacted.Redacted, host: string): string | undefined => {
  const text = normalized(password)
  const characters = [...text]
  if (characters.length < MIN_PASSWORD) return `The password must have at least ${MIN_PASSWORD} characters.`
  if (isTooLong(text)) return `The password can have at most ${MAX_PASSWORD} bytes.`
  if (new Set(characters).size === 1) return "The password must not repeat one character."
  const [given, own] = [bareAddress(text), bareAddress(host)]
  if (given === own || given === own.replace(/:\d+$/, ""))
    return "The password must not be the address of this service."
  return undefined
}

const make = Effect.gen(function* () {
  const store = yield* CredentialStore
  const hashing = (yield* Effect.makeSemaphore(CONCURRENT)).withPermits(1)
  const callers = yield* Callers
  const attempts = yield* makeAttempts({ perClient: GUESSES, inAll: GUESSES_IN_ALL })
  const waiting = {
    known: yield* Effect.makeSemaphore(MAX_WAITING),
    strangers: yield* Effect.makeSemaphore(MAX_WAITING)
  }

  const requireRight = Effect.fnUntraced(function* (request: Request, password: Redacted.Redacted) {
    const text = normalized(password)
    if (isTooLong(text)) return yield* new PasswordWrong()
    const { isKnown } = yield* callers.find(request)
    const hash = yield* store.password
    const verified = Effect.promise(() =>
      Bun.password.verify(
        text,
        Option.getOrElse(hash, () => UNKNOWN_PASSWORD)
      )
    )
    const isRight = yield* waiting[isKnown ? "known" : "strangers"].withPermitsIfAvailable(1)(
      hashing(verified)
    )
    if (Option.isNone(isRight)) return yield* new TooManyAttempts({ seconds: RETRY })
    if (!isRight.value || Option.isNone(hash)) return yield* new PasswordWrong()
    return hash.value
  })

  return {
    isSet: Effect.map(store.password, Option.isSome),
    /** Takes as long without a password; reads what is given within the limits alone. Returns the hash it was verified with. */
    check: Effect.fn("OwnerPassword.check")(
      <E, R>(request: Request, given: Effect.Effect<Redacted.Redacted, E, R>) =>
        attempts(
          request,
          Effect.flatMap(given, (password) => requireRight(request, password))
        )
    ),
    /** Ends all sessions; returns the hash. `host` is the service's. `PasswordWrong` if `session` has ended. */
    set: Effect.fn("OwnerPassword.set")(function* (
      password: Redacted.Redacted,
      host: string,
      session: Option.Option<number>
    ) {
      const problem = passwordProblem(password, host)
      if (problem !== undefined) return yield* new PasswordUnusable({ message: problem })
      const hash = yield* hashing(Effect.promise(() => Bun.password.hash(normalized(password))))
      if (!(yield* store.setPassword(hash, session))) return yield* new PasswordWrong()
      return hash
    })
  }
})

export class OwnerPassword extends Service<OwnerPassword>()("OwnerPassword", make) {}
