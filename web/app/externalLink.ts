import { isHttpUrl } from "../../src/shared/WebAddress.ts"

/** The attributes of a link that leaves the app in a new tab, without a referrer; only http and https addresses are linked. */
export const externalLink = (url: string) => ({
  ...(isHttpUrl(url) ? { href: url } : {}),
  target: "_blank" as const,
  rel: "noopener noreferrer"
})

/** Opens an http or https address in a new tab, without a referrer. */
export const openExternal = (url: string): void => {
  if (isHttpUrl(url)) window.open(url, "_blank", "noopener,noreferrer")
}
