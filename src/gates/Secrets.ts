import { timingSafeEqual } from "node:crypto"
import { Effect, Option, Redacted } from "effect"
import type { Setting } from "../config/Configuration.ts"

const digest = (secret: Redacted.Redacted) =>
  new Bun.CryptoHasher("sha256").update(Redacted.value(secret)).digest()

/**
 * Whether `given` equals the value of the secret setting, compared in constant time.
 *
 * Reads the setting on every call, so a changed secret takes effect at once; an unset or empty one matches nothing.
 */
export const matchesSecret = (
  setting: Setting<Option.Option<Redacted.Redacted>>,
  given: Redacted.Redacted
): Effect.Effect<boolean> =>
  setting.config.pipe(
    Effect.map(
      Option.exists(
        (secret) => Redacted.value(secret) !== "" && timingSafeEqual(digest(secret), digest(given))
      )
    ),
    Effect.orElseSucceed(() => false)
  )
