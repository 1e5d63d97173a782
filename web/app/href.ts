import { isHttpUrl } from "../../src/shared/WebAddress.ts"

/** What an anchor out of the app carries: an address of the web's own schemes (another is not followed), and no referrer. */
export const outward = (url: string) => ({
  ...(isHttpUrl(url) ? { href: url } : {}),
  target: "_blank" as const,
  rel: "noopener noreferrer"
})

/** Opens such an address beside the app. */
export const openOutward = (url: string): void => {
  if (isHttpUrl(url)) window.open(url, "_blank", "noopener,noreferrer")
}
