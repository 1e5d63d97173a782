/** A heading's anchor, as GitHub makes it: lower-case letters, digits, hyphens and underscores. */
export const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-")

/** Returns a function that gives each heading of a page a unique anchor: repeated headings get a number. */
export const makeAnchors = (): ((heading: string) => string) => {
  const given = new Set<string>()
  return (heading) => {
    const slug = slugOf(heading)
    let anchor = slug
    for (let count = 1; given.has(anchor); count++) anchor = `${slug}-${count}`
    given.add(anchor)
    return anchor
  }
}
