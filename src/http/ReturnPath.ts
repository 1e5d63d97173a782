import { isCanonical } from "./FrontDoor.ts"
import { pathOf } from "./RouteGroups.ts"

/** Where signing in leads without another address. */
const DASHBOARD = "/dashboard"

/** Maximum length of an address to return to, in characters. */
const MAX_LENGTH = 2_000

/** The dashboard, the set-up and the extension's page with query and fragment, but not their APIs. */
const OWN_PAGE = /^\/(?:dashboard|setup|connect)(?!\/api(?:[/?#]|$))(?:[/?#][\x21-\x5b\x5d-\x7e]*)?$/

/** The given page of the owner's, else the dashboard. Browsers read each result as a path of this host. */
export const returnPath = (address: string | null): string => {
  if (address === null || address.length > MAX_LENGTH || !OWN_PAGE.test(address)) return DASHBOARD
  const [withoutFragment = ""] = address.split("#", 1)
  return isCanonical(pathOf(withoutFragment)) ? address : DASHBOARD
}
