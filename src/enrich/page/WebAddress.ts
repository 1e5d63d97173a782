/** In UTF-16 units. */
export const MAX_URL = 2_048

/** Null if it is longer than `MAX_URL` or not http(s). */
export const webAddress = (written: string | null | undefined, base?: URL): string | null => {
  const given = written?.trim() ?? ""
  if (given === "" || given.length > MAX_URL) return null
  const url = URL.parse(given, base)
  return url !== null && /^https?:$/.test(url.protocol) && url.href.length <= MAX_URL ? url.href : null
}
