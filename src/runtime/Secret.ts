import { Redacted } from "effect"

/** Makes a secret of this many random bytes, in hexadecimal digits, which every header and file can hold. */
export const makeHexSecret = (bytes: number): Redacted.Redacted =>
  Redacted.make(crypto.getRandomValues(new Uint8Array(bytes)).toHex())

/** Makes 256 random bits in base64url. */
export const makeSecret = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")
