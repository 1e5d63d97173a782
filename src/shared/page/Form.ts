import { decoded, MOST_LABELS, suffixesOf } from "../WebAddress.ts"

/**
 * `saving` joins two addresses without asking, so its rules hold for every page; `finding` proposes links to the owner.
 */
export type Purpose = "saving" | "finding"

export interface Form {
  /** Matches the path; its named groups fill `to`. */
  readonly path: RegExp
  /** Parameters that the address must have; each fills `to` under its own name. */
  readonly query?: Readonly<Record<string, RegExp>>
  /** Has no scheme: `{name}` is replaced, `{host}` by the host. */
  readonly to: string
  /** Names of other parameters that identify the page; the rest is dropped. */
  readonly keeps?: ReadonlyArray<string>
  /** Parameters whose presence makes it another page. */
  readonly unless?: ReadonlyArray<string>
  readonly only?: Purpose
  readonly spelled?: (value: string) => string
}

/** A site with its own forms of addresses; `name.*` stands for a name under any top-level domain. */
export interface Site {
  readonly hosts: ReadonlyArray<string>
  /** The host that stands for the others, where all pages have the same paths on each. */
  readonly home?: string
  /** Hosts of others that show the same pages: front ends, exports, proxies. */
  readonly mirrors?: ReadonlyArray<string>
  readonly forms: ReadonlyArray<Form>
}

type More = Omit<Form, "path" | "to" | "only">

export const always = (path: RegExp, to: string, more: More = {}): Form => ({ path, to, ...more })
export const finding = (path: RegExp, to: string, more: More = {}): Form => ({
  ...always(path, to, more),
  only: "finding"
})
export const saving = (path: RegExp, to: string, more: More = {}): Form => ({
  ...always(path, to, more),
  only: "saving"
})

const split = (names: string) => names.split(" ")

/** A row of a table of sites; hosts and mirrors are separated by spaces. */
export const on = (hosts: string, ...forms: ReadonlyArray<Form>): Site => ({ hosts: split(hosts), forms })

/** A row of hosts with the same pages, for which `home` stands. */
export const sameOn = (
  home: string,
  hosts: string,
  mirrors: string,
  ...forms: ReadonlyArray<Form>
): Site => ({
  home,
  ...on(hosts, ...forms),
  mirrors: mirrors === "" ? [] : split(mirrors)
})

/** An address that contains the address of the page it shows: an archive, a cache, a redirect. */
export interface Wrapper {
  readonly hosts: ReadonlyArray<string>
  /** Matches the path; its group `inner` is the inner address, which extends to the end. */
  readonly path?: RegExp
  /** The parameter that is the inner address, on paths that match `path`. */
  readonly parameter?: string
  readonly only?: Purpose
}

export const lower = (value: string): string => value.toLowerCase()
export const upper = (value: string): string => value.toUpperCase()

type HostTable<A> = ReadonlyMap<string, ReadonlyArray<A>>

export const byHost = <A>(
  all: ReadonlyArray<A>,
  hostsOf: (one: A) => ReadonlyArray<string>
): HostTable<A> => {
  const table = new Map<string, Array<A>>()
  for (const one of all)
    for (const host of hostsOf(one)) {
      const known = table.get(host)
      if (known === undefined) table.set(host, [one])
      else known.push(one)
    }
  return table
}

/** The names under which a host is found in a table: itself, `*.` and each domain above it, and `name.*`. */
const namesOf = (host: string): ReadonlyArray<string> => {
  const labels = host.split(".")
  if (labels.length > MOST_LABELS) return [host]
  return [
    host,
    ...labels.slice(1, -1).map((_, at) => `*.${labels.slice(at + 1).join(".")}`),
    ...suffixesOf(labels).map((suffix) => `${host.slice(0, -suffix.length)}*`)
  ]
}

const forHost = <A>(table: HostTable<A>, host: string): ReadonlyArray<A> =>
  namesOf(host).flatMap((name) => table.get(name) ?? [])

const MOST_MATCHED = 2_048

const valuesIn = (form: Form, url: URL): ReadonlyMap<string, string> | undefined => {
  const match = url.pathname.length > MOST_MATCHED ? null : form.path.exec(url.pathname)
  if (match === null || form.unless?.some((name) => url.searchParams.has(name)) === true) return undefined
  const spelled = form.spelled ?? ((value: string) => value)
  const values = new Map(
    Object.entries(match.groups ?? {}).map(([name, value = ""]) => [name, spelled(value)])
  )
  for (const [name, pattern] of Object.entries(form.query ?? {})) {
    const value = url.searchParams.get(name) ?? ""
    if (value.length > MOST_MATCHED || !pattern.test(value)) return undefined
    values.set(name, spelled(value))
  }
  return values
}

const rewritten = (forms: ReadonlyArray<Form>, url: URL, purpose: Purpose): URL | undefined => {
  for (const form of forms) {
    if (form.only !== undefined && form.only !== purpose) continue
    const values = valuesIn(form, url)
    if (values === undefined) continue
    const to = form.to.replace(/\{(\w+)\}/g, (_, name: string) =>
      name === "host" ? url.host : (values.get(name) ?? "")
    )
    const page = URL.parse(`https://${to}`)
    if (page === null) return undefined
    page.hash = url.hash
    for (const name of form.keeps ?? [])
      for (const value of url.searchParams.getAll(name)) page.searchParams.append(name, value)
    return page
  }
  return undefined
}

const MOST_REWRITES = 4

/** `name.*` keeps its country. */
const homeOf = ({ home, hosts, mirrors = [] }: Site, host: string, purpose: Purpose): string | undefined => {
  if (home === undefined) return undefined
  const names = namesOf(host)
  const own = [...hosts, ...(purpose === "finding" ? mirrors : [])].find((one) => names.includes(one))
  if (own === undefined || !home.endsWith(".*")) return own === undefined ? undefined : home
  return `${home.slice(0, -1)}${host.slice(own.length - 1)}`
}

/** Returns the address that stands for all of a page's addresses on its site. */
export const siteAddress = (table: HostTable<Site>, given: URL, purpose: Purpose): URL => {
  let url = given
  for (let turn = 0; turn < MOST_REWRITES; turn++) {
    const sites = forHost(table, url.hostname)
    if (sites.length === 0) break
    const moved = new URL(url)
    for (const site of sites) moved.hostname = homeOf(site, url.hostname, purpose) ?? moved.hostname
    const forms = sites.filter((site) => isOf(site, moved.hostname)).flatMap((site) => site.forms)
    const next = rewritten(forms, moved, purpose) ?? moved
    if (next.href === url.href) break
    url = next
  }
  return url
}

const isOf = ({ home, hosts }: Site, host: string): boolean => {
  const names = namesOf(host)
  return (home !== undefined && names.includes(home)) || hosts.some((one) => names.includes(one))
}

const MOST_WRAPPERS = 8

/** A web address at the start of a text may lack its scheme or have lost a slash. */
const addressIn = (given: string): URL | undefined => {
  // Google's cache put `cache:` and an identifier before the address.
  const text = given.replace(/^cache:(?:[\w-]{12}:)?/, "")
  const whole = /^https?:\//i.test(text) ? text.replace(/^(https?:)\/+/i, "$1//") : `http://${text}`
  const url = /^https?:\/\/[^/?#@]*\.[^/?#@]+/i.test(whole) ? URL.parse(whole) : null
  return url === null || !/^https?:$/.test(url.protocol) ? undefined : url
}

const innerAddress = (wrappers: ReadonlyArray<Wrapper>, url: URL): URL | undefined => {
  for (const { parameter, path } of wrappers) {
    const match = path === undefined ? undefined : path.exec(url.pathname)
    if (match === null) continue
    const inPath = match?.groups?.["inner"]
    if (parameter !== undefined) {
      const value = url.searchParams.get(parameter)
      const found = value === null ? undefined : addressIn(value)
      if (found !== undefined) return found
    } else if (inPath !== undefined) {
      const isEscaped = /^https?%3a/i.test(inPath)
      const found = addressIn(isEscaped ? decoded(inPath) : inPath + url.search + url.hash)
      if (found !== undefined) return found
    }
  }
  return undefined
}

export const unwrapped = (table: HostTable<Wrapper>, given: URL, purpose: Purpose): URL => {
  let url = given
  for (let turn = 0; turn < MOST_WRAPPERS; turn++) {
    const wrappers = forHost(table, url.hostname.replace(/^www\./, ""))
    const inner = innerAddress(
      wrappers.filter(({ only }) => only === undefined || only === purpose),
      url
    )
    if (inner === undefined) break
    url = inner
  }
  return url
}
