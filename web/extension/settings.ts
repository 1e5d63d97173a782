import { readAddress } from "./addresses.ts"

/** What the person has set; kept in `storage.local` alone, so that no vendor's cloud copies the token. */
export interface Settings {
  /** The service's address without a slash at the end; empty until it is set. */
  readonly address: string
  readonly token: string
  /** The dashboard's address; empty where it is the service's own. */
  readonly dashboard: string
  readonly notePrefix: string
  readonly includeSelection: boolean
  /** A click on the button saves the page without asking for a note. */
  readonly saveAtOnce: boolean
  /** The button shows a mark on pages that were saved from here. */
  readonly markSaved: boolean
  /** Headers that go along with every request, such as a gateway's service token: `Name: value`, one per line. */
  readonly headers: string
}

export const SETTINGS = "settings"

export const defaults: Settings = {
  address: "",
  token: "",
  dashboard: "",
  notePrefix: "",
  includeSelection: true,
  saveAtOnce: false,
  markSaved: false,
  headers: ""
}

/** The fields of a value that may be anything. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {}

const textOr = (value: unknown, other: string) => (typeof value === "string" ? value.trim() : other)
const flagOr = (value: unknown, other: boolean) => (typeof value === "boolean" ? value : other)

/** What the extension itself sets. */
const own = /^(authorization|content-type|idempotency-key)$/i

/** Headers as a person writes them, by their names; undefined where a line is none that may be sent. */
export const readHeaders = (written: string): Readonly<Record<string, string>> | undefined => {
  const lines = written.split("\n").filter((line) => line.trim() !== "")
  const headers = lines.flatMap((line) => {
    const [, name = "", value = ""] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*([\x20-\x7e]*)$/.exec(line) ?? []
    return name === "" || own.test(name) ? [] : [[name, value.trim()] as const]
  })
  return headers.length === lines.length ? Object.fromEntries(headers) : undefined
}

/** The address as it may be kept, or `other` where it is none. */
const addressOr = (value: unknown, other: string): string => {
  const read = readAddress(textOr(value, ""))
  return "address" in read ? read.address : other
}

/** Whether the text is the address of a web page. */
export const isPage = (text: string): boolean => /^https?:\/\/\S+$/.test(text)

const pageOr = (value: unknown, other: string): string => {
  const page = textOr(value, other)
  return page === "" || isPage(page) ? page : other
}

/** Settings of a value that may be anything; where it says nothing, `other` counts. */
export const readSettings = (value: unknown, other: Settings = defaults): Settings => {
  const of = fieldsOf(value)
  return {
    address: addressOr(of["address"], other.address),
    token: textOr(of["token"], other.token),
    dashboard: pageOr(of["dashboard"], other.dashboard),
    notePrefix: textOr(of["notePrefix"], other.notePrefix),
    includeSelection: flagOr(of["includeSelection"], other.includeSelection),
    saveAtOnce: flagOr(of["saveAtOnce"], other.saveAtOnce),
    markSaved: flagOr(of["markSaved"], other.markSaved),
    headers: textOr(of["headers"], other.headers)
  }
}

/** Whether there is somewhere to send captures to. */
export const isConnected = ({ address, token }: Settings): boolean => address !== "" && token !== ""

/** Where the person looks at the library; empty while the service is not known. */
export const dashboardOf = ({ address, dashboard }: Settings): string =>
  dashboard === "" && address !== "" ? `${address}/dashboard` : dashboard

/** What a person may hand on: neither the token nor a header's value is in it. */
export const exported = ({ headers, token: _, ...rest }: Settings): string =>
  JSON.stringify({ linkbower: 1, ...rest, headers: headers.replaceAll(/:.*/g, ":") }, null, 2)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The settings after an import of what `exported` gave, or undefined for any other text.
 *
 * Token and headers stay, unless the address changes: they belong to the other service.
 */
export const imported = (text: string, current: Settings): Settings | undefined => {
  const value = fieldsOf(parsed(text))
  if (value["linkbower"] !== 1) return undefined
  const { headers, token } = current
  const read = readSettings({ ...value, token: "" }, current)
  return read.address === current.address ? { ...read, headers, token } : read
}
