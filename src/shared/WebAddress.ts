/**
 * Whether a browser may follow an address. Addresses are checked when they are saved; this protects a page from a row
 * that was not.
 */
export const isHttpUrl = (url: string): boolean => /^https?:\/\//i.test(url)

/** Removes a leading `www.` from a host name, as hosts are shown and compared. */
export const withoutWww = (host: string): string => host.replace(/^www\./, "")

/** Decodes the escapes of a text; returns it unchanged if one of them is broken. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const trailing = /[.,;:!?'"»”’\]}]/

const occurrences = (text: string, character: string): number => text.split(character).length - 1

/**
 * Removes the punctuation of the surrounding sentence from the end of an address. Keeps closing parentheses that the
 * address itself opens.
 */
export const withoutTrailingPunctuation = (address: string): string => {
  let unopened = occurrences(address, ")") - occurrences(address, "(")
  let end = address.length
  for (; end > 0; end--) {
    const last = address.charAt(end - 1)
    if (last === ")" && unopened > 0) unopened--
    else if (!trailing.test(last)) break
  }
  return address.slice(0, end)
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
