import { parseJson } from "../UntrustedJson.ts"
import type { SitePage } from "./SitePage.ts"

export interface SiteRequest {
  readonly address: URL
  readonly accept: string
}

/** Without Effect: `request` in the service, `read` in the sandbox, because an answer is as untrusted as a page. */
export interface SiteRule {
  readonly name: string
  /** Undefined if the site does not answer about the page. Contains nothing but the page's address or number. */
  readonly request: (url: URL) => SiteRequest | undefined
  /** Linear time, at most `MAX_ANSWER` bytes, and never throws; undefined if the answer is unusable. */
  readonly read: (answer: string, url: URL) => SitePage | undefined
}

export type Parts = Readonly<Record<string, string>>

interface PageForm {
  /** Matches the host and the decoded path without empty steps, such as `example.org/a/b`; its named groups are parts. */
  readonly at: RegExp
  /** Parameters that the address must have; each is a part under its own name. */
  readonly query?: Readonly<Record<string, RegExp>>
  /** The address of the answer: `{part}` stands for a part, escaped, and `{+part}` for one that keeps its slashes. */
  readonly api: string | ((parts: Parts, url: URL) => string | undefined)
}

/** The first matching form is used. */
export interface SiteRow<Answer = unknown> {
  readonly name: string
  readonly forms: ReadonlyArray<PageForm>
  /** `application/json` by default. */
  readonly accept?: string
  readonly read: (answer: Answer, url: URL, parts: Parts) => SitePage | undefined
}

/** In bytes. A longer answer is cut; `parseCutAnswer` reads the beginning of cut JSON. */
export const MAX_ANSWER = 1024 * 1024

export const jsonRequest = (address: string | URL): SiteRequest => ({
  address: new URL(address),
  accept: "application/json"
})

const placeOf = ({ host, pathname }: URL): string | undefined => {
  try {
    const steps = pathname.split("/").filter((step) => step !== "")
    const place = [host, ...steps.map(decodeURIComponent)].join("/")
    return /\p{Cc}/u.test(place) ? undefined : place
  } catch {
    return undefined
  }
}

const partsIn = ({ at, query = {} }: PageForm, place: string, url: URL): Parts | undefined => {
  const match = at.exec(place)
  if (match === null) return undefined
  const asked = Object.keys(query).map((name) => [name, url.searchParams.get(name) ?? ""] as const)
  if (asked.some(([name, value]) => query[name]?.test(value) !== true)) return undefined
  const named = Object.entries(match.groups ?? {}).filter(([, part]) => part !== undefined)
  return Object.fromEntries([...named, ...asked])
}

export const filled = (template: string, parts: Parts): string =>
  template.replace(/\{(\+?)(\w+)\}/g, (_, keepsSlashes: string, name: string) => {
    const escaped = encodeURIComponent(parts[name] ?? "")
    return keepsSlashes === "" ? escaped : escaped.replaceAll("%2F", "/")
  })

/** A rule for answers that are not JSON, or are cut. */
export const textRule = ({ accept = "application/json", forms, name, read }: SiteRow<string>): SiteRule => {
  const found = (url: URL) => {
    const place = placeOf(url)
    if (place === undefined) return undefined
    for (const form of forms) {
      const parts = partsIn(form, place, url)
      if (parts !== undefined) return { api: form.api, parts }
    }
    return undefined
  }
  return {
    name,
    request: (url) => {
      const { api, parts = {} } = found(url) ?? {}
      const address = typeof api === "string" ? filled(api, parts) : api?.(parts, url)
      return address === undefined ? undefined : { address: new URL(address), accept }
    },
    read: (answer, url) => read(answer, url, found(url)?.parts ?? {})
  }
}

export const jsonRule = ({ read, ...row }: SiteRow): SiteRule =>
  textRule({ ...row, read: (answer, url, parts) => read(parseJson(answer), url, parts) })
