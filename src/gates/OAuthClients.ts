import { Data, DateTime, Effect, Option, Schema } from "effect"
import { ClientDocuments, isDocumentAddress } from "../domain/ClientDocument.ts"
import { isRedirectAddress, redirectPlace } from "../domain/RedirectAddress.ts"
import { TokenName } from "../domain/Token.ts"
import { LruMap } from "../runtime/LruMap.ts"
import { makeTokenBuckets, type Rate } from "../runtime/RateLimit.ts"
import { makeSecret } from "../runtime/Secret.ts"
import { monotonicMillis } from "../runtime/Throttle.ts"
import { type Client, GrantStore } from "../store/signin/GrantStore.ts"
import { clientOf } from "./ClientAddress.ts"
import type { Request } from "./Verifier.ts"

/** A refusal, with the code of OAuth (RFC 6749, 4.1.2.1 and 5.2; RFC 7591, 3.2.2; RFC 8707, 2). */
export class OAuthRefused extends Data.TaggedError("OAuthRefused")<{
  readonly error:
    | "access_denied"
    | "invalid_client"
    | "invalid_client_metadata"
    | "invalid_grant"
    | "invalid_redirect_uri"
    | "invalid_request"
    | "invalid_scope"
    | "invalid_target"
    | "slow_down"
    | "unsupported_grant_type"
    | "unsupported_response_type"
  readonly message: string
  /** When to try again, in seconds. */
  readonly wait?: number
  /** The program and its address, if the address is known to be its own. */
  readonly from?: { readonly name: string; readonly place: string; readonly location: string }
}> {}

export const refuse = (error: OAuthRefused["error"], message: string) => new OAuthRefused({ error, message })

export const slowDown = (wait: number) =>
  new OAuthRefused({ error: "slow_down", message: "Too many requests. Try again later.", wait })

/** Registrations of one caller and of all, and the descriptions that are fetched. */
const REGISTRATIONS: Rate = { burst: 20, perSecond: 1 / 60 }
const ALL_REGISTRATIONS: Rate = { burst: 100, perSecond: 1 / 3 }
const DOCUMENTS: Rate = { burst: 20, perSecond: 1 / 6 }
const MAX_CALLERS = 10_000
const MAX_DOCUMENTS = 100

/** In seconds, within these bounds. The least outlasts a look at the consent page, so its answer is about that page. */
const KEPT = { least: 600, usual: 3_600, most: 86_400 }

const MAX_REDIRECTS = 10

const Metadata = Schema.Struct({
  redirect_uris: Schema.NonEmptyArray(Schema.String).pipe(Schema.maxItems(MAX_REDIRECTS)),
  client_name: Schema.optional(Schema.String),
  grant_types: Schema.optional(Schema.Array(Schema.String)),
  response_types: Schema.optional(Schema.Array(Schema.String))
})

/** What a published description says besides: it cannot hold a secret. */
const Published = Schema.Struct({
  client_id: Schema.String,
  client_secret: Schema.optional(Schema.Undefined),
  token_endpoint_auth_method: Schema.optional(Schema.Literal("none"))
})

const isName = Schema.is(TokenName)

/** Returns the program's own name, without characters that are not seen, and within the length of a token's. */
const nameOf = (given: string | undefined, [first = ""]: ReadonlyArray<string>): string => {
  const plain = (given ?? "").normalize("NFC").replace(/[\p{Cf}\p{Cc}\p{Co}\p{Cn}]/gu, " ")
  // Leaves room for a number that tells two programs of one name apart.
  const name = [...plain.replace(/\s+/g, " ").trim()].slice(0, 50).join("").trim()
  return isName(name) ? name : redirectPlace(first).slice(0, 50)
}

/** Reads what a program says of itself (RFC 7591, 2). */
const readMetadata = Effect.fnUntraced(function* (given: unknown) {
  const metadata = yield* Effect.mapError(Schema.decodeUnknown(Metadata)(given), () =>
    refuse("invalid_client_metadata", `Send 1 to ${MAX_REDIRECTS} "redirect_uris" as JSON.`)
  )
  const redirects = [...new Set(metadata.redirect_uris)]
  if (!redirects.every(isRedirectAddress))
    return yield* refuse(
      "invalid_redirect_uri",
      "A redirect address must be https, http on this machine, or an app's own scheme, such as org.example.app."
    )
  if (metadata.grant_types?.includes("authorization_code") === false)
    return yield* refuse("invalid_client_metadata", 'The "grant_types" must have "authorization_code".')
  if (metadata.response_types?.includes("code") === false)
    return yield* refuse("invalid_client_metadata", 'The "response_types" must have "code".')
  return { name: nameOf(metadata.client_name, redirects), redirects }
})

const now = Effect.map(DateTime.now, DateTime.formatIso)

/** Makes what is known of programs: they register themselves, or publish a description at the address that names them. */
export const makeClients = Effect.gen(function* () {
  const store = yield* GrantStore
  const documents = yield* ClientDocuments
  const registrations = makeTokenBuckets(REGISTRATIONS, MAX_CALLERS)
  const allRegistrations = makeTokenBuckets(ALL_REGISTRATIONS, 1)
  const fetches = makeTokenBuckets(DOCUMENTS, 1)
  const read = new LruMap<string, { readonly client: Client; readonly until: number }>(MAX_DOCUMENTS)

  /** Finds a program that has registered itself, or that the owner has allowed something. */
  const known = Effect.fnUntraced(function* (id: string) {
    const found = yield* store.client(id)
    return yield* Option.isSome(found)
      ? Effect.succeed(found.value)
      : refuse("invalid_client", "This program is not registered here, or no longer. Connect it again.")
  })

  const described = Effect.fnUntraced(function* (id: string) {
    const millis = yield* monotonicMillis
    const kept = read.get(id)
    if (kept !== undefined && millis < kept.until) return kept.client
    const wait = fetches("", millis)
    if (wait > 0) return yield* slowDown(wait)
    const { json, maxAge = KEPT.usual } = yield* Effect.mapError(documents.read(id), () =>
      refuse("invalid_client", `The program's description at ${id} cannot be read.`)
    )
    const { client_id } = yield* Effect.mapError(Schema.decodeUnknown(Published)(json), () =>
      refuse("invalid_client", "The program's description must have its address and no secret.")
    )
    if (client_id !== id)
      return yield* refuse("invalid_client", "The program's description is of another address.")
    const client: Client = { id, ...(yield* readMetadata(json)), createdAt: yield* now }
    const seconds = Math.min(Math.max(maxAge, KEPT.least), KEPT.most)
    read.set(id, { client, until: millis + seconds * 1_000 })
    return client
  })

  return {
    register: Effect.fn("OAuthClients.register")(function* (request: Request, given: unknown) {
      const { visitorKey } = yield* clientOf(request)
      const millis = yield* monotonicMillis
      const wait = registrations(visitorKey, millis) || allRegistrations("", millis)
      if (wait > 0) return yield* slowDown(wait)
      const client: Client = { id: makeSecret(), ...(yield* readMetadata(given)), createdAt: yield* now }
      yield* store.register(client)
      return client
    }),
    known,
    /** Finds a program by its number, or reads its description where it publishes one. For the owner alone: it fetches. */
    find: (id: string) => (isDocumentAddress(id) ? described(id) : known(id))
  }
})
