import { escapeXml } from "../../src/shared/Xml.ts"
import type { LibraryLink } from "./library.ts"
import { isPage, type Settings, searchAddress } from "./settings.ts"

/** A suggestion of the address bar: what is shown, and the address that it opens. */
export interface Suggestion {
  readonly content: string
  readonly description: string
}

/** Suggests links. Chrome takes the description as XML, in which the host is quieter; Firefox takes it as it is. */
export const suggestionsOf = (
  links: ReadonlyArray<LibraryLink>,
  isMarkup: boolean
): ReadonlyArray<Suggestion> =>
  [...new Map(links.map((link) => [link.url, link])).values()].map(({ title, url }) => {
    const host = URL.parse(url)?.host ?? ""
    const description = isMarkup ? `${escapeXml(title)} <dim>${escapeXml(host)}</dim>` : `${title} – ${host}`
    return { content: url, description }
  })

/** Where Enter leads: to the chosen link, or to the dashboard's search for what was typed. */
export const destinationOf = (entered: string, settings: Settings): string =>
  isPage(entered) ? entered : searchAddress(settings, entered)
