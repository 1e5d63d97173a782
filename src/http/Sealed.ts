import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto"
import { Option } from "effect"

const CIPHER = "aes-256-gcm"
const IV = 12
const TAG = 16

/** Both are of this run alone: what was sealed by an earlier one cannot be opened. */
const key = randomBytes(32)
const ivKey = randomBytes(32)

/**
 * A text that says nothing to whoever carries it (AES-GCM, NIST SP 800-38D; base64url). Equal texts are sealed alike, the
 * initialisation vector being made from the text, so that equal pages stay equal.
 */
export const seal = (text: string): string => {
  const iv = createHmac("sha256", ivKey).update(text).digest().subarray(0, IV)
  const cipher = createCipheriv(CIPHER, key, iv)
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url")
}

/** The text again; none where it was not sealed by this run. */
export const unseal = (sealed: string): Option.Option<string> => {
  const bytes = Buffer.from(sealed, "base64url")
  if (bytes.length <= IV + TAG) return Option.none()
  return Option.liftThrowable((): string => {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV))
    decipher.setAuthTag(bytes.subarray(IV, IV + TAG))
    return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString("utf8")
  })()
}
