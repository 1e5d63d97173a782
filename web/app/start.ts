import type { LinksPage, Meta, PublicLinksPage, PublicMeta } from "./api.ts"

/** Data embedded in the owner's page; null on pages other than the list, and in a cached shell. */
export interface OwnerStart {
  readonly meta: Meta | null
  readonly page: LinksPage | null
  /** The revision of the library's events before the page was made, as the event stream names it. */
  readonly revision: string | null
}

/** Data embedded in the public list. */
export interface PublicStart {
  readonly meta: PublicMeta
  readonly page: PublicLinksPage
}

const embedded = () => JSON.parse(document.getElementById("data")?.textContent ?? "null")

/** Reads the data that the service embedded in the owner's page, which saves a request. */
export const readOwnerStart = (): OwnerStart => {
  const start: OwnerStart | null = embedded()
  return start ?? { meta: null, page: null, revision: null }
}

/** Reads the data that the service embedded in the public list. */
export const readPublicStart = (): PublicStart | null => embedded()
