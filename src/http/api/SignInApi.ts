import { Schema } from "effect"
import { Session } from "../../domain/SignIn.ts"
import { MAX_PASSKEY_NAME } from "../../shared/Limits.ts"
import { del, get, group, patch, post, put } from "./Endpoint.ts"
import {
  BadRequest,
  Forbidden,
  LastWay,
  NotFound,
  TooManyRequests,
  Unavailable,
  WrongCode,
  WrongPasskey,
  WrongPassword
} from "./Failures.ts"
import { described, jsonPayload, pathNumber } from "./Input.ts"
import { AccessGate, BodyFailure, SignInGate } from "./Middleware.ts"

/** Which ways to sign in are set up, and what the caller's own session is. */
export const WaysAnswer = Schema.Struct({
  ways: Schema.Struct({
    password: Schema.Boolean,
    passkey: Schema.Boolean,
    bot: described(Schema.Boolean, "Whether the bot can ask in the owner's chat."),
    oidc: described(
      Schema.NullOr(Schema.String),
      "The host of the OpenID Connect provider; null if none is set up."
    )
  }),
  isSetUp: described(Schema.Boolean, "Whether any way to the dashboard is set up."),
  isSignedIn: Schema.Boolean,
  isSettingUp: described(
    Schema.Boolean,
    "Whether the caller entered a one-time code and can set up a way to sign in."
  )
})
export type WaysAnswer = typeof WaysAnswer.Type

/** Longest texts that are read: those of real use are far shorter. */
const text = (longest: number) => Schema.String.pipe(Schema.maxLength(longest))

export const GivenCode = Schema.Struct({ code: text(64) })
/** A password in a request: its own limit is in bytes, and has a sentence. */
const secret = Schema.Redacted(text(4_096))
export const GivenPassword = Schema.Struct({ password: secret })
const NewPassword = Schema.Struct({ password: secret, current: Schema.optional(secret) })

/** Options for the browser's `navigator.credentials` (Web Authentication, 5.4 and 5.5), in their JSON form. */
const PublicKeyOptions = Schema.Struct(
  { challenge: Schema.String },
  Schema.Record({ key: Schema.String, value: Schema.Unknown })
).annotations({
  identifier: "PublicKeyOptions",
  description: "Options of Web Authentication in their JSON form, for `navigator.credentials`."
})

const base64url = (longest: number) => text(longest).pipe(Schema.pattern(/^[\w-]+$/))
const credential = <R extends Schema.Struct.Fields>(response: R) =>
  described(
    Schema.Struct({ id: base64url(1_400), response: Schema.Struct(response) }),
    "The JSON form of the credential that `navigator.credentials` returned."
  )

/** The JSON form of a credential that was asked for a signature. */
export const Assertion = credential({
  clientDataJSON: base64url(8_192),
  authenticatorData: base64url(8_192),
  signature: base64url(8_192),
  userHandle: Schema.optional(text(128))
})
export const GivenAssertion = Schema.Struct({ response: Assertion })
export const Attestation = credential({
  clientDataJSON: base64url(8_192),
  attestationObject: base64url(65_536),
  transports: Schema.optional(Schema.Array(text(32)).pipe(Schema.maxItems(10)))
})
/** Longest name of a passkey, in UTF-16 units. */
const PasskeyName = Schema.String.pipe(
  Schema.trimmed(),
  Schema.minLength(1),
  Schema.maxLength(MAX_PASSKEY_NAME)
)

const NewPasskeyAnswer = Schema.Struct({ id: Schema.Int, name: Schema.String })
const Passkey = Schema.Struct({
  ...NewPasskeyAnswer.fields,
  host: described(Schema.String, "The host name on which it works."),
  createdAt: Schema.String,
  usedAt: Schema.NullOr(Schema.String)
})
export const PasskeysAnswer = Schema.Struct({ passkeys: Schema.Array(Passkey) })
const passkeyPath = Schema.Struct({ id: pathNumber("A passkey's number must be a positive integer.") })

/** Signing in with the service's own credentials; verifiers and identity providers have groups of their own. */
export const signin = group(
  "signin",
  {
    place: "/signin/api",
    fails: [BadRequest, Forbidden, TooManyRequests, Unavailable],
    says: "Open to everyone, from the service's own pages: how the owner signs in."
  },
  get("ways", "/ways", "Says how to sign in", {
    answer: WaysAnswer,
    more: "While no way is set up, the log has a one-time code: a new one if the last has expired."
  }),
  post("code", "/code", "Takes the one-time code", {
    fails: [WrongCode.schema, BodyFailure],
    more: "The session that it begins can only set up a way to sign in, and lasts an hour."
  }).setPayload(jsonPayload(GivenCode)),
  post("password", "/password", "Signs in with the password", {
    fails: [WrongPassword.schema, BodyFailure]
  }).setPayload(jsonPayload(GivenPassword)),
  post("passkeyOptions", "/passkey/options", "Begins to sign in with a passkey", {
    answer: PublicKeyOptions
  }),
  post("passkey", "/passkey", "Signs in with a passkey", {
    fails: [WrongPasskey.schema, BodyFailure]
  }).setPayload(jsonPayload(GivenAssertion)),
  del("signOut", "/session", "Signs out")
)

const Asked = Schema.Struct({
  expiresAt: described(Schema.String, "When the question expires."),
  number: described(Schema.String, "Two digits that the message shows too, for the sign-in page to show.")
})
const Looked = Schema.Struct({
  state: described(
    Schema.Literal("waiting", "allowed", "denied", "expired"),
    "`allowed` is answered once, and signs in."
  )
})

export const chatSignIn = group(
  "chatSignIn",
  {
    place: "/signin/api",
    fails: [Forbidden, Unavailable],
    says: "Open to everyone, from the service's own pages: signing in with a button in the owner's chat."
  },
  post("ask", "/bot", "Asks in the chat with the bot", {
    answer: Asked,
    status: 202,
    fails: [NotFound.schema, TooManyRequests.schema],
    more: "The owner has two minutes to answer. One question waits at a time, and the bot asks at most five times an hour."
  }),
  get("look", "/bot", "Says whether the owner allowed it", {
    answer: Looked,
    more: "For the browser that asked."
  })
)

/** Adding credentials: for the owner, and for a session that began with a one-time code, which may do nothing else. */
export const newCredentials = group(
  "newCredentials",
  {
    place: "/signin/api",
    fails: [BadRequest, Forbidden, TooManyRequests, Unavailable],
    says: "For the owner, and for a browser in which the one-time code was entered: adding a password and passkeys."
  },
  put("setPassword", "/password", "Sets the password", {
    body: NewPassword,
    fails: [WrongPassword.schema],
    more: "It has 10 characters or more, and at most 1,024 bytes. The owner must give the `current` one if there is one. Ends all sessions and begins a new one."
  }),
  post("newPasskeyOptions", "/passkeys/options", "Begins to add a passkey", { answer: PublicKeyOptions }),
  post("addPasskey", "/passkeys", "Adds a passkey", {
    body: Schema.Struct({ response: Attestation, name: Schema.optional(PasskeyName) }),
    answer: NewPasskeyAnswer,
    status: 201,
    fails: [WrongPasskey.schema],
    more: "Begins a new session."
  })
).middlewareEndpoints(SignInGate)

export const credentials = group(
  "credentials",
  {
    place: "/signin/api",
    fails: [BadRequest, NotFound, Unavailable],
    says: "Gate 4, as above: the owner's password and passkeys."
  },
  del("removePassword", "/password", "Removes the password", {
    fails: [LastWay.schema],
    more: "The last way to sign in cannot be removed."
  }),
  get("passkeys", "/passkeys", "Lists the passkeys", { answer: PasskeysAnswer }),
  patch("renamePasskey", "/passkeys/:id", "Renames a passkey", {
    path: passkeyPath,
    body: Schema.Struct({ name: PasskeyName }),
    answer: NewPasskeyAnswer
  }),
  del("removePasskey", "/passkeys/:id", "Removes a passkey", {
    path: passkeyPath,
    fails: [LastWay.schema],
    more: "The last way to sign in cannot be removed."
  })
).middlewareEndpoints(AccessGate)

const ListedSession = Schema.Struct({
  ...Session.fields,
  current: described(Schema.Boolean, "Whether the request belongs to this session.")
})
export const SessionsAnswer = Schema.Struct({ sessions: Schema.Array(ListedSession) })

export const sessions = group(
  "sessions",
  {
    place: "/dashboard/api",
    fails: [BadRequest, Unavailable],
    says: "Gate 4, as above: the browsers in which the owner is signed in."
  },
  get("list", "/sessions", "Lists the sessions", {
    answer: SessionsAnswer,
    more: "The most recently used one comes first."
  }),
  del("end", "/sessions/:id", "Ends a session", {
    path: Schema.Struct({ id: pathNumber("A session's number must be a positive integer.") }),
    fails: [NotFound.schema]
  }),
  del("endOthers", "/sessions", "Ends all sessions but the current one")
).middlewareEndpoints(AccessGate)
