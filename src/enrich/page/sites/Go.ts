import { parseJson, textAt } from "../UntrustedJson.ts"
import { packagePage } from "./PackagePage.ts"
import { jsonRequest, type SiteRule, segmentsOn } from "./SiteRule.ts"

/** A module's path, which begins with a host (https://go.dev/ref/mod#go-mod-file-ident). */
const modulePath = /^[a-z\d-]+(?:\.[a-z\d-]+)+(?:\/[\w.~-]+)*$/i

/** The module or package at an address, without its version. */
const moduleOf = (url: URL): string | undefined => {
  const path = segmentsOn(url, "pkg.go.dev")?.join("/").replace(/@.*$/s, "")
  return path !== undefined && path.length <= 300 && modulePath.test(path) ? path : undefined
}

/** A path as the proxy's file names have it: `!a` stands for `A` (https://go.dev/ref/mod#goproxy-protocol). */
const escaped = (path: string): string => path.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)

/**
 * Go modules on pkg.go.dev, by the module proxy's newest version. The proxy knows modules, not the packages in them; what
 * a module is for is in the page.
 */
export const go: SiteRule = {
  name: "go",
  request: (url) => {
    const path = moduleOf(url)
    return path === undefined ? undefined : jsonRequest(`https://proxy.golang.org/${escaped(path)}/@latest`)
  },
  read: (answer, url) => {
    const version = textAt(parseJson(answer), "Version")
    const page = packagePage({
      registry: "Go Packages",
      name: version === undefined ? undefined : moduleOf(url),
      version
    })
    return page && { ...page, text: undefined }
  }
}
