import { parseJson } from "../UntrustedJson.ts"
import type { SitePage } from "./SitePage.ts"

/** A request to a site about one of its pages. */
export interface SiteRequest {
  readonly address: URL
  /** Sent as `Accept`. */
  readonly accept: string
}

/**
 * How to ask a site about one of its pages, where its answer says more than the page. Rules run without Effect: `request`
 * in the service, `read` in the sandbox child, because an answer is as untrusted as a page.
 */
export interface SiteRule {
  /** Names the rule in requests to the sandbox, logs and metrics. */
  readonly name: string
  /**
   * The request for a page at this http(s) address; undefined if the site does not answer about it. The request goes to
   * the site itself and contains nothing but the page's address or number.
   */
  readonly request: (url: URL) => SiteRequest | undefined
  /**
   * The statements in an answer about the page at `url`; undefined if it is unusable. Takes time linear in the answer's
   * length, at most `MAX_ANSWER` bytes, and never throws.
   */
  readonly read: (answer: string, url: URL) => SitePage | undefined
}

/** The named parts of an address. */
export type Parts = Readonly<Record<string, string>>

/** A kind of address of a site's pages. */
interface PageForm {
  /** Matches the host and the decoded path without empty steps, such as `example.org/a/b`; its named groups are parts. */
  readonly at: RegExp
  /** Parameters that the address must have; each is a part under its own name. */
  readonly query?: Readonly<Record<string, RegExp>>
  /** The address of the answer: `{part}` stands for a part, escaped, and `{+part}` for one that keeps its slashes. */
  readonly api: string | ((parts: Parts, url: URL) => string | undefined)
}

/** A site as a row of a table; the first matching form is used. */
export interface SiteRow<Answer = unknown> {
  readonly name: string
  readonly forms: ReadonlyArray<PageForm>
  /** `application/json` by default. */
  readonly accept?: string
  readonly read: (answer: Answer, url: URL, parts: Parts) => SitePage | undefined
}

/** Maximum size of a site's answer, in bytes. A longer one is cut; of cut JSON, `parseCutAnswer` reads the beginning. */
export const MAX_ANSWER = 1024 * 1024

/** A request for an answer in JSON. */
export const jsonRequest = (address: string | URL): SiteRequest => ({
  address: new URL(address),
  accept: "application/json"
})

/** The host and the decoded path of an address; undefined if it cannot be decoded or has a control character. */
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

/** Returns a template of `PageForm.api` with its parts. */
export const filled = (template: string, parts: Parts): string =>
  template.replace(/\{(\+?)(\w+)\}/g, (_, keepsSlashes: string, name: string) => {
    const escaped = encodeURIComponent(parts[name] ?? "")
    return keepsSlashes === "" ? escaped : escaped.replaceAll("%2F", "/")
  })

/** A rule for answers that are read as they are. */
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

/** A rule for answers in JSON. */
export const jsonRule = ({ read, ...row }: SiteRow): SiteRule =>
  textRule({ ...row, read: (answer, url, parts) => read(parseJson(answer), url, parts) })
