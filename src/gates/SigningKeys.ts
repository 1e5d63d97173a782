import { constants, createPublicKey, type KeyObject, verify } from "node:crypto"
import { Data, Effect, Schema } from "effect"

/** Public-key signatures (RFC 7518, 8037, 9864); neither `none` nor shared secrets (HS256). */
export type Algorithm = "RS256" | "PS256" | "ES256" | "EdDSA" | "Ed25519"

/** Minimum modulus length of an RSA key, in bits (RFC 7518, 3.3). */
const MIN_MODULUS = 2_048

/** The key is invalid, too weak, or not for signatures. */
class UnusableKey extends Data.TaggedError("UnusableKey") {}

/** Base64url text; checked here because node:crypto ignores characters outside of it. */
const Base64Url = Schema.String.pipe(Schema.pattern(/^[\w-]+$/))

const forSigning = { use: Schema.optionalWith(Schema.Literal("sig"), { exact: true }) }

const rsaNumbers = { kty: Schema.Literal("RSA"), n: Base64Url, e: Base64Url }

/** A key of the access gateway: RSA, for RS256, with a key id. */
const GatewayKey = Schema.Struct({
  ...rsaNumbers,
  ...forSigning,
  kid: Schema.NonEmptyString,
  alg: Schema.optionalWith(Schema.Literal("RS256"), { exact: true })
})

/** A JSON Web Key may have no key id; tokens without one are then signed with it. */
const kid = Schema.optionalWith(Schema.String, { default: () => "" })

/** A public key for signatures (RFC 7517, RFC 7518, RFC 8037). */
const PublicKey = Schema.Union(
  Schema.Struct({
    ...rsaNumbers,
    ...forSigning,
    kid,
    alg: Schema.optionalWith(Schema.Literal("RS256", "PS256"), { exact: true })
  }),
  Schema.Struct({
    kty: Schema.Literal("EC"),
    crv: Schema.Literal("P-256"),
    x: Base64Url,
    y: Base64Url,
    ...forSigning,
    kid,
    alg: Schema.optionalWith(Schema.Literal("ES256"), { exact: true })
  }),
  Schema.Struct({
    kty: Schema.Literal("OKP"),
    crv: Schema.Literal("Ed25519"),
    x: Base64Url,
    ...forSigning,
    kid,
    alg: Schema.optionalWith(Schema.Literal("EdDSA", "Ed25519"), { exact: true })
  })
)

const isStrong = ({ asymmetricKeyDetails, asymmetricKeyType }: KeyObject) => {
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {}
  return asymmetricKeyType !== "rsa" || (modulusLength >= MIN_MODULUS && publicExponent >= 3n)
}

const importing =
  <Key extends { readonly kid: string }, From>(schema: Schema.Schema<Key, From>) =>
  (key: unknown) =>
    Effect.gen(function* () {
      const { kid, ...numbers } = yield* Schema.decodeUnknown(schema)(key)
      const imported = yield* Effect.try({
        try: () => createPublicKey({ key: numbers, format: "jwk" }),
        catch: () => new UnusableKey()
      })
      return isStrong(imported) ? ([kid, imported] as const) : yield* new UnusableKey()
    })

export const importGatewayKey = importing(GatewayKey)

/** Imports a public key for any of the algorithms; the key id is empty if the key has none. */
export const importPublicKey = importing(PublicKey)

/** The algorithms of each type of key, so that a token cannot choose what a key is used for (RFC 8725, 3.1). */
const algorithmsOf: Readonly<Record<string, ReadonlyArray<Algorithm>>> = {
  rsa: ["RS256", "PS256"],
  ec: ["ES256"],
  ed25519: ["EdDSA", "Ed25519"]
}

export const isFor = (key: KeyObject, algorithm: Algorithm): boolean =>
  (algorithmsOf[key.asymmetricKeyType ?? ""] ?? []).includes(algorithm)

/** 50 µs on this thread: WebCrypto would queue behind look-ups that may hang, and the owner could not sign in. */
export const isSigned = (algorithm: Algorithm, key: KeyObject, bytes: Buffer, signature: Buffer): boolean => {
  switch (algorithm) {
    case "RS256":
      return verify("RSA-SHA256", bytes, key, signature)
    case "PS256":
      return verify(
        "sha256",
        bytes,
        { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
        signature
      )
    case "ES256":
      return verify("sha256", bytes, { key, dsaEncoding: "ieee-p1363" }, signature)
    case "EdDSA":
    case "Ed25519":
      return verify(null, bytes, key, signature)
  }
}
