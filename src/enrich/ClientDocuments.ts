import { Effect, Layer } from "effect"
import { ClientDocuments, ClientDocumentUnread } from "../domain/ClientDocument.ts"
import { type FetchLimits, make } from "./fetch/Fetcher.ts"

/** A description has no redirects, and comes from no address of the own network, whatever FETCH_ALLOW says. */
export const documentLimits: FetchLimits = {
  timeout: "5 seconds",
  redirects: 0,
  addresses: 3,
  perHost: 1,
  inAll: 2,
  exempts: false
}

/** Maximum size in bytes; the draft recommends 5 kB. */
const MAX_BYTES = 10_000

const maxAgeIn = (cacheControl: string | null): number | undefined => {
  if (/\bno-(cache|store)\b/i.test(cacheControl ?? "")) return 0
  const [, seconds] = /\bmax-age="?(\d{1,9})\b/i.exec(cacheControl ?? "") ?? []
  return seconds === undefined ? undefined : Number(seconds)
}

/** The descriptions of programs, with the same bounds on destination, size and time as saved pages. */
export const layerWithin = (limits: FetchLimits) =>
  Layer.effect(
    ClientDocuments,
    Effect.map(make(limits), ({ fetch }) => ({
      read: (address) =>
        fetch(new URL(address), {
          accept: "application/json",
          readable: (type) => /^application\/(?:[\w.-]+\+)?json$/.test(type),
          maxBytes: MAX_BYTES
        }).pipe(
          Effect.filterOrFail(({ cut, status }) => status === 200 && !cut),
          Effect.flatMap(({ body, headers }) =>
            Effect.map(
              Effect.try((): unknown => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))),
              (json) => ({ json, maxAge: maxAgeIn(headers.get("cache-control")) })
            )
          ),
          Effect.mapError(() => new ClientDocumentUnread())
        )
    }))
  )

export const layer = layerWithin(documentLimits)
