import { isPublic, literalOf } from "../fetch/Destination.ts"

const privateName =
  /(?:^|\.)(?:localhost|local|lan|home|internal|intranet|private|corp|home\.arpa|test|invalid|onion)$/

/** Names of parameters whose value gives access, in lower case without separators. */
const secretName =
  /token|secret|passw|passphrase|^pass$|^pwd$|^pin$|apikey|accesskey|privatekey|^key$|authkey|^auth$|authorization|credential|signature|^sig$|^sign$|session|^sid$|phpsessid|^jwt$|^code$|^otp$|^nonce$|^hash$|^hmac$|^invite|^magic|^ticket$|^oobcode$/

/** A value or path segment that cannot be guessed: a UUID, a long hexadecimal number, a signed token. */
const unguessable =
  /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|(?<![\da-z])[\da-f]{32,}(?![\da-z])|^eyJ[\w-]{8,}/i

/** Whether a text is a long run of mixed letters and digits, as random names are and words are not. */
const isRandom = (text: string): boolean =>
  text
    .split(/[^A-Za-z0-9_-]/)
    .some(
      (run) =>
        run.length >= 20 &&
        /\d/.test(run) &&
        /[a-z]/.test(run) &&
        /[A-Z]/.test(run) &&
        (run.match(/[a-z][A-Z]|\d[A-Za-z]|[A-Za-z]\d/g)?.length ?? 0) >= 5
    )

const isSecret = (text: string) => unguessable.test(text) || isRandom(text)

/** False in doubt: other ports, logins, private networks, and whatever looks like a secret. */
export const isArchivable = (url: URL): boolean => {
  const literal = literalOf(url)
  const isPublicHost =
    literal === undefined
      ? url.hostname.includes(".") && !privateName.test(url.hostname.replace(/\.$/, ""))
      : isPublic(literal)
  return (
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}${url.port}` === "" &&
    isPublicHost &&
    !url.pathname.split("/").some(isSecret) &&
    ![...url.searchParams].some(
      ([name, value]) =>
        secretName.test(name.toLowerCase().replace(/[^a-z]/g, "")) || isSecret(value) || isSecret(name)
    )
  )
}

export const withoutFragment = ({ href }: URL): string => href.replace(/#.*$/, "")
