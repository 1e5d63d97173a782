import { Effect } from "effect"
import { portOf } from "./Destination.ts"

const headersFor = (url: URL, accept: string) => ({
  host: url.host,
  "user-agent": "Linkbower/0.1 (link preview; self-hosted)",
  accept,
  "accept-encoding": "gzip, br",
  "accept-language": "en, *;q=0.5"
})

/** The address with the host replaced by the one address that was checked, so that no second look-up can differ. */
const pinned = (url: URL, address: string): string => {
  const host = address.includes(":") ? `[${address}]` : address
  return `${url.protocol}//${host}:${portOf(url)}${url.pathname}${url.search}`
}

/**
 * Asks one address of the host for `url`, by the host's name and over TLS with its certificate, and follows nothing.
 *
 * The failure is one word: the cause holds the address.
 */
export const requestFrom = (address: string, url: URL, accept: string, signal: AbortSignal) =>
  Effect.tryPromise({
    try: () =>
      fetch(pinned(url, address), {
        headers: headersFor(url, accept),
        redirect: "manual",
        // Whoever reads the body bounds what it unpacks to; a proxy would look the name up again.
        decompress: false,
        proxy: false,
        tls: { serverName: url.hostname },
        signal
      }),
    catch: () => "unreachable" as const
  })

/** Closes the connection when `use` is over, however that ends: an unread or dripping body costs nothing more. */
export const connected = <A, E>(use: (signal: AbortSignal) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => new AbortController()),
    ({ signal }) => use(signal),
    (connection) => Effect.sync(() => connection.abort())
  )

const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status)

/** Where an answer sends the reader; null where it is the page itself. */
export const locationOf = ({ headers, status }: Response): string | null => {
  const location = isRedirect(status) ? headers.get("location") : null
  // Servers write such addresses in UTF-8, of which a header shows every byte as a character.
  return location && Buffer.from(location, "latin1").toString("utf8")
}
