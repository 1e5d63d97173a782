/**
 * The segments of an address's path, decoded, without empty ones; undefined if one cannot be decoded or has a control
 * character, as no page of a site has.
 */
export const segmentsOf = (url: URL): ReadonlyArray<string> | undefined => {
  try {
    const segments = url.pathname
      .split("/")
      .filter((segment) => segment !== "")
      .map(decodeURIComponent)
    return segments.some((segment) => /\p{Cc}/u.test(segment)) ? undefined : segments
  } catch {
    return undefined
  }
}

/** The segments of an address's path on one of these hosts; undefined on any other host or port. */
export const segmentsOn = (url: URL, ...hosts: ReadonlyArray<string>): ReadonlyArray<string> | undefined =>
  hosts.includes(url.host) ? segmentsOf(url) : undefined
