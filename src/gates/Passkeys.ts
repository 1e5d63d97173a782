import { Data, Duration, Effect, Option, Schema } from "effect"
import { makeSecret } from "../runtime/Secret.ts"
import { Service } from "../runtime/Services.ts"
import { CredentialStore, MAX_PASSKEYS } from "../store/signin/CredentialStore.ts"
import { CHALLENGES, makeAttempts } from "./Attempts.ts"
import { browserChannel } from "./BrowserChannel.ts"
import { parseHost } from "./RequestHost.ts"
import { ConnectionExposed } from "./Sessions.ts"
import { makeTickets } from "./Tickets.ts"
import type { Request } from "./Verifier.ts"

const CHALLENGE_LIFETIME = Duration.minutes(5)

/** The signatures that passkeys may make: EdDSA, ES256 and RS256 (COSE), which every authenticator has one of. */
const ALGORITHMS = [-8, -7, -257]

/** Loaded at its first use, because it takes 23 MB: no request of a stranger without a passkey of the owner does that. */
const library = Effect.promise(() => import("@simplewebauthn/server"))

/** The passkey does not prove that its holder is the owner; `reason` is for the log and repeats nothing of strangers. */
export class PasskeyRefused extends Data.TaggedError("PasskeyRefused")<{ readonly reason: string }> {}

/** Passkeys do not work at the address of the request; `message` says why. */
export class PasskeysUnavailable extends Data.TaggedError("PasskeysUnavailable")<{
  readonly message: string
}> {}

export interface Assertion {
  readonly id: string
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle?: string | undefined
  }
}

export interface Attestation {
  readonly id: string
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports?: ReadonlyArray<string> | undefined
  }
}

/** What the browser signed, as far as the library does not check it: a frame of another site must not ask for it. */
const ClientData = Schema.parseJson(Schema.Struct({ crossOrigin: Schema.optional(Schema.Literal(false)) }))

const requireOwnPage = (clientDataJSON: string) =>
  Schema.decode(ClientData)(Buffer.from(clientDataJSON, "base64url").toString("utf8")).pipe(
    Effect.catchAll(() => refused("not asked by a page of this origin"))
  )

const refused = (reason: string) =>
  Effect.zipRight(Effect.logDebug(`a passkey was refused: ${reason}`), new PasskeyRefused({ reason }))

/** An origin at which passkeys work, and its host name, to which they belong. */
interface Place {
  readonly origin: string
  readonly host: string
}

/** Returns the origin of the page that sent the request, if browsers offer passkeys there. */
const placeOf = Effect.fnUntraced(function* (request: Request) {
  const { host: header = "", origin } = request.headers
  const channel = yield* browserChannel(request)
  if (channel === "exposed") return yield* new ConnectionExposed()
  const host = parseHost(header)
  if (host === undefined || host.isAddress)
    return yield* new PasskeysUnavailable({
      message: "Passkeys need a host name instead of an IP address; on this machine, open http://localhost."
    })
  const own = URL.parse(`${channel === "https" ? "https" : "http"}://${header}`)?.origin
  if (own === undefined || (origin !== undefined && origin !== own))
    return yield* new PasskeysUnavailable({
      message:
        "The page has another address than the one that the service sees. Let the proxy pass Host and X-Forwarded-Proto on."
    })
  return { origin: own, host: host.name } satisfies Place
})

interface Challenge extends Place {
  readonly challenge: string
}

/** The JSON form of the options with which a page asks for a signature (Web Authentication, 5.5). */
interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
  readonly userVerification: "preferred"
  /** In milliseconds. */
  readonly timeout: number
}

const make = Effect.gen(function* () {
  const store = yield* CredentialStore
  const requests = makeTickets<Challenge>("linkbower_passkey", CHALLENGE_LIFETIME)
  const attempts = yield* makeAttempts({ perClient: CHALLENGES, countsAll: true })
  const creations = makeTickets<Challenge>("linkbower_new_passkey", CHALLENGE_LIFETIME)

  /** Takes the challenge of the request's browser; it must have been made for the same origin. */
  const takeChallenge = Effect.fnUntraced(function* (tickets: typeof requests, request: Request) {
    const place = yield* placeOf(request)
    const taken = yield* tickets.take(request)
    if (Option.isNone(taken)) return yield* refused("no challenge of this browser")
    if (taken.value.origin !== place.origin) return yield* refused("a challenge for another origin")
    return taken.value
  })

  const verified = <A>(check: () => Promise<A>) =>
    Effect.catchAll(Effect.tryPromise(check), () => refused("the response does not fit the challenge"))

  const ask = Effect.fnUntraced(function* (request: Request) {
    const place = yield* placeOf(request)
    const options: RequestOptions = {
      challenge: makeSecret(),
      rpId: place.host,
      userVerification: "preferred",
      timeout: Duration.toMillis(CHALLENGE_LIFETIME)
    }
    return { options, cookie: yield* requests.issue(request, { ...place, challenge: options.challenge }) }
  })

  return {
    list: store.passkeys,
    rename: store.renamePasskey,
    ask: Effect.fn("Passkeys.ask")((request: Request) => attempts(request, ask(request))),

    /**
     * Fails unless the owner's passkey has answered this browser's challenge; reads what is given only if it has one.
     */
    verify: Effect.fn("Passkeys.verify")(function* <E, R>(
      request: Request,
      given: Effect.Effect<Assertion, E, R>
    ) {
      const { challenge, host, origin } = yield* takeChallenge(requests, request)
      const { id, response } = yield* given
      const found = yield* store.findPasskey(id)
      if (Option.isNone(found) || found.value.host !== host) return yield* refused("an unknown passkey")
      yield* requireOwnPage(response.clientDataJSON)
      const passkey = found.value
      const { verifyAuthenticationResponse } = yield* library
      const { authenticationInfo, verified: isRight } = yield* verified(() =>
        verifyAuthenticationResponse({
          response: {
            id,
            rawId: id,
            type: "public-key",
            clientExtensionResults: {},
            response: {
              clientDataJSON: response.clientDataJSON,
              authenticatorData: response.authenticatorData,
              signature: response.signature
            }
          },
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: host,
          requireUserVerification: false,
          credential: {
            id,
            publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
            counter: passkey.counter
          }
        })
      )
      const counter = { before: passkey.counter, after: authenticationInfo.newCounter }
      if (!isRight || !(yield* store.usePasskey(passkey.id, counter)))
        return yield* refused("a wrong signature, or a counter that another use has passed")
    }),

    askNew: Effect.fn("Passkeys.askNew")(function* (request: Request) {
      const place = yield* placeOf(request)
      const known = (yield* store.passkeys).filter(({ host }) => host === place.host)
      const handle = yield* store.handle
      const { generateRegistrationOptions } = yield* library
      const options = yield* Effect.promise(() =>
        generateRegistrationOptions({
          rpName: "Linkbower",
          rpID: place.host,
          userName: "owner",
          userDisplayName: "Owner",
          userID: new Uint8Array(Buffer.from(handle, "base64url")),
          attestationType: "none",
          supportedAlgorithmIDs: ALGORITHMS,
          authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
          excludeCredentials: known.map(({ credential, transports }) => ({
            id: credential,
            transports: [...transports]
          })),
          timeout: Duration.toMillis(CHALLENGE_LIFETIME)
        })
      )
      return {
        options,
        cookie: yield* creations.issue(request, { ...place, challenge: options.challenge })
      }
    }),

    /** Adds the passkey that the browser made for its challenge, while its `session` lasts; returns its number. */
    add: Effect.fn("Passkeys.add")(function* (
      request: Request,
      { id, response }: Attestation,
      name: string,
      session: Option.Option<number>
    ) {
      const { challenge, host, origin } = yield* takeChallenge(creations, request)
      yield* requireOwnPage(response.clientDataJSON)
      const { verifyRegistrationResponse } = yield* library
      const { registrationInfo } = yield* verified(() =>
        verifyRegistrationResponse({
          response: {
            id,
            rawId: id,
            type: "public-key",
            clientExtensionResults: {},
            response: {
              clientDataJSON: response.clientDataJSON,
              attestationObject: response.attestationObject
            }
          },
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: host,
          requireUserVerification: false,
          supportedAlgorithmIDs: ALGORITHMS
        })
      )
      if (registrationInfo === undefined) return yield* refused("a wrong attestation")
      const { credential } = registrationInfo
      const made = {
        credential: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString("base64url"),
        counter: credential.counter,
        transports: response.transports ?? [],
        host,
        name
      }
      const added = yield* store.addPasskey(made, session)
      return yield* Option.match(added, {
        onNone: () => refused(`a known passkey, more than ${MAX_PASSKEYS}, or a session that has ended`),
        onSome: Effect.succeed
      })
    })
  }
})

/** The owner's passkeys (Web Authentication, level 3). A challenge belongs to one browser, and can be answered once. */
export class Passkeys extends Service<Passkeys>()("Passkeys", make) {}
