import { isCanonical } from "./FrontDoor.ts"
import { pathOf } from "./RouteGroups.ts"

/** Where signing in leads without another address. */
const DASHBOARD = "/dashboard"

/** Maximum length of an address to return to, in characters. */
const MAX_LENGTH = 2_000

/**
 * Matches addresses of the dashboard, the set-up page and the page that connects the extension, with a query and a
 * fragment, but not their APIs.
 */
const OWN_PAGE = /^\/(?:dashboard|setup|connect)(?!\/api(?:[/?#]|$))(?:[/?#][\x21-\x5b\x5d-\x7e]*)?$/

/**
 * Returns the address to which signing in leads: the given one if it is a page of the owner's on this host, else the
 * dashboard. A browser reads every address that this returns as a path of this host.
 */
export const returnPath = (address: string | null): string => {
  if (address === null || address.length > MAX_LENGTH || !OWN_PAGE.test(address)) return DASHBOARD
  const [withoutFragment = ""] = address.split("#", 1)
  return isCanonical(pathOf(withoutFragment)) ? address : DASHBOARD
}
