import type { LinksPage, Meta, PublicLinksPage, PublicMeta } from "./api.ts"

/** What the owner's page came with; null where the address is of another page than the list, or the shell is a kept one. */
export interface OwnerStart {
  readonly meta: Meta | null
  readonly page: LinksPage | null
}

/** What the public list came with. */
export interface PublicStart {
  readonly meta: PublicMeta
  readonly page: PublicLinksPage
}

const written = () => JSON.parse(document.getElementById("data")?.textContent ?? "null")

/** Reads what the service has written into the owner's page, so that the app need not ask first. */
export const readOwnerStart = (): OwnerStart => {
  const start: OwnerStart | null = written()
  return start ?? { meta: null, page: null }
}

/** Reads what the service has written into the public list. */
export const readPublicStart = (): PublicStart | null => written()
