import { addressesInText } from "../../src/shared/TextAddresses.ts"

/** A link passed on by another app or page. */
export interface Shared {
  readonly url: string
  readonly note: string
  /** The page's title; empty if unknown. */
  readonly title: string
}

const isWeb = (text: string) => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)

interface Found {
  readonly url: string
  /** The text around it. */
  readonly rest: string
}

const addressIn = (text: string): Found => {
  for (const { end, start } of addressesInText(text)) {
    const url = text.slice(start, end)
    if (isWeb(url)) return { url, rest: `${text.slice(0, start).trim()} ${text.slice(end).trim()}`.trim() }
  }
  return { url: "", rest: text }
}

/**
 * Parses the parameters `url`, `text` and `title` of a share or the bookmarklet. The address is the first one found in
 * them, in that order, because phones put it into the text with words around it; those words become the note.
 */
export const readShared = (params: URLSearchParams): Shared => {
  const given = (name: string) => (params.get(name) ?? "").trim()
  const from = (name: string, wanted: boolean): Found =>
    wanted ? addressIn(given(name)) : { url: "", rest: given(name) }
  const whole = given("url")
  const url = isWeb(whole) ? { url: whole, rest: "" } : addressIn(whole)
  const text = from("text", url.url === "")
  const title = from("title", url.url === "" && text.url === "")
  // Some apps repeat the title in the text.
  const words = [url.rest, text.rest].filter((part) => part !== "" && part !== title.rest)
  return { url: url.url || text.url || title.url, note: [...new Set(words)].join("\n"), title: title.rest }
}
