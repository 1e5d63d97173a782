import { Either } from "effect"

/** The ports Telegram itself calls (https://core.telegram.org/bots/api#setwebhook). */
const PORTS = ["", "443", "80", "88", "8443"]
const TELEGRAM = "api.telegram.org"

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : "")

/** Where the service's webhook is reached, given where the service is. */
export const webhookBelow = (publicUrl: string): string => `${publicUrl.replace(/\/+$/, "")}/webhook`

/** What the owner has named: the address itself, or where the service is. */
export const webhookAt = (given: string): string =>
  URL.canParse(given) && new URL(given).pathname === "/" ? webhookBelow(given) : given

/**
 * The address as it is to be registered, or a sentence on why it cannot be. A Bot API server of one's own, which
 * `apiUrl` tells, calls any address; Telegram's calls https alone, on four ports.
 */
export const callable = (address: string, apiUrl: string): Either.Either<string, string> => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return Either.left(`${address} is no address: it must be like https://links.example.org/webhook.`)
  if (hostOf(apiUrl) !== TELEGRAM) return Either.right(url.href)
  if (url.protocol !== "https:")
    return Either.left(`${url.href} is no https address, and Telegram calls no other.`)
  return PORTS.includes(url.port)
    ? Either.right(url.href)
    : Either.left(`${url.href} has port ${url.port}, but Telegram calls 443, 80, 88 and 8443 alone.`)
}
