import { Redacted } from "effect"

/** Makes a secret of this many random bytes, in hexadecimal digits, which every header and file can hold. */
export const makeHexSecret = (bytes: number): Redacted.Redacted =>
  Redacted.make(crypto.getRandomValues(new Uint8Array(bytes)).toHex())
