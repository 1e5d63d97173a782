/** Addresses are checked when they are saved; this protects a page from a row that was not. */
export const isHttpUrl = (url: string): boolean => /^https?:\/\//i.test(url)

export const withoutUser = (address: string): string => {
  const url = URL.parse(address)
  if (url === null || (url.username === "" && url.password === "")) return address
  url.username = ""
  url.password = ""
  return url.href
}

/** Removes a leading `www.` from a host name, as hosts are shown and compared. */
export const withoutWww = (host: string): string => host.replace(/^www\./, "")

/** Suffixes under which anybody can register a name: countries' `co.uk` and similar ones, and hosting services. */
const sharedSuffix =
  /(?:^|\.)(?:(?:co|com|org|net|ac|gov|edu|or|ne|go)\.[a-z]{2}|(?:github|gitlab|codeberg)\.(?:io|page)|(?:pages|workers|web|fly|deno)\.(?:dev|app)|(?:vercel|netlify|herokuapp|blogspot|wordpress|substack|tumblr|neocities|readthedocs)\.(?:app|com|org|io))$/

export const registeredDomain = (host: string): string => {
  if (/^[\d.]+$|^\[/.test(host)) return host
  const labels = host.split(".")
  const two = labels.slice(-2).join(".")
  return sharedSuffix.test(two) ? labels.slice(-3).join(".") : two
}

/** Decodes the escapes of a text; returns it unchanged if one of them is broken. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Maximum number of labels of a host that a table of sites looks at. */
export const MOST_LABELS = 8

/** Returns a host's possible public suffixes: its last label, and its last two if they are short, as in `co.uk`. */
export const suffixesOf = (labels: ReadonlyArray<string>): ReadonlyArray<string> => {
  const two = labels.slice(-2)
  return [
    ...(labels.length > 1 ? labels.slice(-1) : []),
    ...(labels.length > 2 && two.every((label) => label.length <= 3) ? [two.join(".")] : [])
  ]
}
