/**
 * A range of lines: from the first line that starts with `first` up to the next one that starts with `next`.
 */
export interface Stretch {
  readonly source: string
  readonly first: string
  readonly next: string
}

/**
 * Sources in the text that must not be used for training. Three are lists that the embedder is measured on; the licenses of
 * two forbid it (PolyForm Noncommercial, AGPL). The text names no sources, so their first lines identify them.
 */
export const pairsLeftOut: ReadonlyArray<Stretch> = [
  {
    source: "avelino/awesome-go",
    first: "Required links\tProvide the links below. Our CI",
    next: "Awesome Bash\tA curated list"
  },
  {
    source: "bohdanbirdie/cloudstash",
    first: "Intent\t- [ ] This changes vision.md",
    next: "Contribution Guidelines\t- New categories, or improvements to the existing c"
  },
  {
    source: "linkwarden/browser-extension",
    first: "Linkwarden Browser Extension Features\t",
    next: "Changesets\tChangesets are the release-intent ledger"
  },
  {
    source: "sindresorhus/awesome-nodejs",
    first: "Contribution Guidelines\t- The submitted project should be more than 30 days",
    next: "normalize-url\tUseful when you need to display"
  },
  {
    source: "vinta/awesome-python",
    first: "Audit the list\tAn Audit re-runs",
    next: "netscape-go - Parse and export bookmarks"
  }
]

/** The same sources in the running text. */
export const corpusLeftOut: ReadonlyArray<Stretch> = [
  {
    source: "avelino/awesome-go",
    first: "Provide the links below. Our CI",
    next: "A curated list of delightful Bash"
  },
  {
    source: "bohdanbirdie/cloudstash",
    first: "This rolling PR promotes",
    next: "- Suggested tools should be tested and documented."
  },
  {
    source: "linkwarden/browser-extension",
    first: "The Official Browser Extension for Linkwarden.",
    next: "Changesets are the release-intent ledger"
  },
  {
    source: "sindresorhus/awesome-nodejs",
    first: "- The submitted project should be more than 30 days",
    next: "Useful when you need to display, store"
  },
  {
    source: "vinta/awesome-python",
    first: "Audit README.md sections against",
    next: "netscape-go provides a library to marshal"
  }
]

/** The lines outside all ranges; throws if a range is missing, which means another text. */
export const without = (
  lines: ReadonlyArray<string>,
  stretches: ReadonlyArray<Stretch>
): ReadonlyArray<string> =>
  stretches.reduce((rest: ReadonlyArray<string>, { first, next, source }) => {
    const start = rest.findIndex((line) => line.startsWith(first))
    const end = rest.findIndex((line, at) => at > start && line.startsWith(next))
    if (start < 0 || end < 0) throw new Error(`The text of ${source} was not found, and must be left out.`)
    return [...rest.slice(0, start), ...rest.slice(end)]
  }, lines)
