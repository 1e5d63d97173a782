import type { Handover } from "../../src/shared/Handover.ts"
import { readAddress } from "./addresses.ts"

/** The user's settings; stored only in `storage.local`, so that no browser vendor's cloud copies the token. */
export interface Settings {
  /** The service's address without a trailing slash; empty until it is set. */
  readonly address: string
  readonly token: string
  /** A token of the owner's with the scope `read`, by which links are found from the browser; empty if there is none. */
  readonly readToken: string
  /** Whether that token may also change links, as a test has found. */
  readonly mayChange: boolean
  /** Whether the user has been asked once for that token. */
  readonly askedToRead: boolean
  /** Whether links of the library are shown beside a search engine's results. */
  readonly besideResults: boolean
  /** The dashboard's address; empty if it is below the service's address. */
  readonly dashboard: string
  readonly notePrefix: string
  readonly includeSelection: boolean
  /** Whether the page's text is sent with it; until the user has answered the question, it is not. */
  readonly sendText: "ask" | "yes" | "no"
  /** Whether a click on the button saves the page without asking for a note. */
  readonly saveAtOnce: boolean
  /** Whether the button marks pages that were saved from this browser. */
  readonly markSaved: boolean
  /** Whether a bookmark made in the browser is saved too, and whether in the collection of its folder's name. */
  readonly saveBookmarks: boolean
  readonly folderAsCollection: boolean
  /** Headers to send with every request, such as a gateway's service token: `Name: value`, one per line. */
  readonly headers: string
}

export const SETTINGS = "settings"

export const defaults: Settings = {
  address: "",
  token: "",
  readToken: "",
  mayChange: false,
  askedToRead: false,
  besideResults: false,
  dashboard: "",
  notePrefix: "",
  includeSelection: true,
  sendText: "ask",
  saveAtOnce: false,
  markSaved: false,
  saveBookmarks: false,
  folderAsCollection: false,
  headers: ""
}

/** The fields of an unvalidated value; none if it is not an object. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {}

const textOr = (value: unknown, other: string) => (typeof value === "string" ? value.trim() : other)
const flagOr = (value: unknown, other: boolean) => (typeof value === "boolean" ? value : other)

const answers = ["ask", "yes", "no"] as const

/** Headers that the extension itself sets. */
const reserved = /^(authorization|content-type|idempotency-key)$/i

/** Parses the headers that the user has written; undefined if a line is not a header that may be sent. */
export const readHeaders = (written: string): Readonly<Record<string, string>> | undefined => {
  const lines = written.split("\n").filter((line) => line.trim() !== "")
  const headers = lines.flatMap((line) => {
    const [, name = "", value = ""] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*([\x20-\x7e]*)$/.exec(line) ?? []
    return name === "" || reserved.test(name) ? [] : [[name, value.trim()] as const]
  })
  return headers.length === lines.length ? Object.fromEntries(headers) : undefined
}

/** The normalized address, or `other` if it is invalid. */
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

/** Reads settings from an unvalidated value; missing or invalid fields come from `other`. */
export const readSettings = (value: unknown, other: Settings = defaults): Settings => {
  const of = fieldsOf(value)
  return {
    address: addressOr(of["address"], other.address),
    token: textOr(of["token"], other.token),
    readToken: textOr(of["readToken"], other.readToken),
    mayChange: flagOr(of["mayChange"], other.mayChange),
    askedToRead: flagOr(of["askedToRead"], other.askedToRead),
    besideResults: flagOr(of["besideResults"], other.besideResults),
    dashboard: pageOr(of["dashboard"], other.dashboard),
    notePrefix: textOr(of["notePrefix"], other.notePrefix),
    includeSelection: flagOr(of["includeSelection"], other.includeSelection),
    sendText: answers.find((answer) => answer === of["sendText"]) ?? other.sendText,
    saveAtOnce: flagOr(of["saveAtOnce"], other.saveAtOnce),
    markSaved: flagOr(of["markSaved"], other.markSaved),
    saveBookmarks: flagOr(of["saveBookmarks"], other.saveBookmarks),
    folderAsCollection: flagOr(of["folderAsCollection"], other.folderAsCollection),
    headers: textOr(of["headers"], other.headers)
  }
}

/** Whether an address and a token are set, so that captures can be sent. */
export const isConnected = ({ address, token }: Settings): boolean => address !== "" && token !== ""

/** Whether the owner lets the extension read the library. */
export const canRead = ({ address, readToken }: Settings): boolean => address !== "" && readToken !== ""

/** The settings with a service's address; what belongs to another service is dropped. */
export const movedTo = (address: string, settings: Settings): Settings =>
  settings.address === address
    ? settings
    : { ...settings, address, token: "", readToken: "", dashboard: "", headers: "" }

/** The settings after a handover. */
export const handedOver = ({ address, token }: Handover, settings: Settings): Settings => ({
  ...movedTo(address, settings),
  token
})

/** The dashboard's address; empty if no service is set. */
export const dashboardOf = ({ address, dashboard }: Settings): string =>
  dashboard === "" && address !== "" ? `${address}/dashboard` : dashboard

/** The address of the dashboard's search. */
export const searchAddress = (settings: Settings, words: string): string =>
  `${dashboardOf(settings)}?q=${encodeURIComponent(words)}`

/** The address of a link in the dashboard. */
export const linkAddress = (settings: Settings, id: number): string => `${dashboardOf(settings)}?link=${id}`

/** Exports the settings for sharing, without the tokens and the headers' values. */
export const exported = ({ headers, readToken: _, token: __, ...rest }: Settings): string =>
  JSON.stringify({ linkbower: 1, ...rest, headers: headers.replaceAll(/:.*/g, ":") }, null, 2)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Merges settings from a text that `exported` wrote; undefined for any other text.
 *
 * Keeps the current tokens and headers if the address stays the same; they do not belong to a different service.
 */
export const imported = (text: string, current: Settings): Settings | undefined => {
  const value = fieldsOf(parsed(text))
  if (value["linkbower"] !== 1) return undefined
  const { headers, readToken, token } = current
  const read = readSettings({ ...value, token: "", readToken: "" }, current)
  return read.address === current.address ? { ...read, headers, readToken, token } : read
}
