/** A heading's anchor, as GitHub makes it: small letters, digits and hyphens, nothing else but underscores. */
export const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-")

/** Gives each heading of one page an anchor of its own: the second of a name gets a number. */
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
