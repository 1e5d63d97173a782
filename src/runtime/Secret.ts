import { timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"

/** Makes a secret of this many random bytes, in hexadecimal digits, which every header and file can hold. */
export const makeHexSecret = (bytes: number): Redacted.Redacted =>
  Redacted.make(crypto.getRandomValues(new Uint8Array(bytes)).toHex())

/** Makes 256 random bits in base64url. */
export const makeSecret = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")

/** Returns the SHA-256 of a secret, by which it is stored. */
export const secretDigest = (secret: string): string =>
  new Bun.CryptoHasher("sha256").update(secret).digest("base64url")

const digest = (secret: Redacted.Redacted) =>
  new Bun.CryptoHasher("sha256").update(Redacted.value(secret)).digest()

/** Whether two secrets are the same; the time of the comparison tells nothing about either. */
export const isSameSecret = (one: Redacted.Redacted, other: Redacted.Redacted): boolean =>
  timingSafeEqual(digest(one), digest(other))

/** Whether this is the digest of the secret; compares in constant time. */
export const isDigestOf = (digest: string, secret: string): boolean => {
  const own = secretDigest(secret)
  return digest.length === own.length && timingSafeEqual(Buffer.from(digest), Buffer.from(own))
}
