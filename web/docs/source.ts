/** An error in the documentation's sources, which prevents publishing. */
export interface Fault {
  /** The file, relative to the repository's root. */
  readonly file: string
  readonly line: number
  /** What is wrong, for the author of the page. */
  readonly message: string
}

/** Formats a fault as `file:line: message`, which editors can jump to. */
export const faultText = ({ file, line, message }: Fault): string => `${file}:${line}: ${message}`

/** A Markdown file. */
export interface SourceFile {
  /** Relative to the repository's root. */
  readonly file: string
  readonly text: string
}

/** The parts of the documentation, in the order of the sidebar. */
export const sections = ["Start", "Use", "Run", "Know"] as const
export type Section = (typeof sections)[number]

/** The content of a page's front matter. */
interface Front {
  readonly title: string
  readonly description: string
  /** Null only for the landing page. */
  readonly section: Section | null
  readonly order: number
}

export interface Source extends Front {
  readonly file: string
  readonly slug: string
  /** The Markdown below the front matter. */
  readonly body: string
  /** The number of the body's first line in the file. */
  readonly firstLine: number
}

/** The slug of the landing page, which is served at `/docs`. */
export const LANDING = "index"

const FRONT = /^---\n([\s\S]*?)\n---\n/
const known = ["title", "description", "section", "order"]

const valuesOf = (front: string) =>
  new Map(
    front.split("\n").map((line) => {
      const at = line.indexOf(":")
      return [
        line.slice(0, at).trim(),
        line
          .slice(at + 1)
          .trim()
          .replace(/^(["'])(.*)\1$/, "$2")
      ] as const
    })
  )

/** The number of the first line that contains `needle`; 1 if none does. */
const lineWith = (lines: ReadonlyArray<string>, needle: string): number =>
  Math.max(1, lines.findIndex((line) => line.includes(needle)) + 1)

/** Reads a page and its front matter, which is lines of `name: value` between two lines of three hyphens. */
export const readSource = ({ file, text }: SourceFile): { source: Source; faults: ReadonlyArray<Fault> } => {
  const slug = file.slice(file.lastIndexOf("/") + 1).replace(/\.md$/, "")
  const lines = text.split("\n")
  const [whole = "", front = ""] = FRONT.exec(text) ?? []
  const values = valuesOf(front)
  const faults: Array<Fault> = []
  const fault = (message: string, needle = "---") =>
    faults.push({ file, line: lineWith(lines, needle), message })

  const needed = (name: string) => {
    const value = values.get(name) ?? ""
    if (value === "") fault(`the page has no ${name} in its front matter`)
    return value
  }
  const title = needed("title")
  const description = needed("description")
  const section = sections.find((one) => one === values.get("section")) ?? null
  const order = Number(values.get("order") ?? "NaN")
  if (slug !== LANDING && section === null)
    fault(`the page's section must be one of ${sections.join(", ")}`, "section:")
  if (slug !== LANDING && !Number.isFinite(order)) fault("the page's order must be a number", "order:")
  if (!/^[a-z][a-z-]*$/.test(slug))
    fault("a page's file name may contain only lower-case letters and hyphens")
  for (const name of values.keys())
    if (whole !== "" && !known.includes(name)) fault(`the front matter has an unknown field "${name}"`, name)
  return {
    source: {
      file,
      slug,
      body: text.slice(whole.length),
      firstLine: whole.split("\n").length,
      title,
      description,
      section: slug === LANDING ? null : section,
      order
    },
    faults
  }
}

/** The sections that have pages, in sidebar order, each with its pages. */
export const pagesBySection = (
  pages: ReadonlyArray<Source>
): ReadonlyArray<{ readonly section: Section; readonly within: ReadonlyArray<Source> }> =>
  sections
    .map((section) => ({ section, within: pages.filter((page) => page.section === section) }))
    .filter(({ within }) => within.length > 0)

/** Sorts pages into reading order: by section, then by `order`, then by slug. */
export const inReadingOrder = (pages: ReadonlyArray<Source>): ReadonlyArray<Source> => {
  const rank = ({ section }: Source) => (section === null ? -1 : sections.indexOf(section))
  return pages.toSorted(
    (one, other) => rank(one) - rank(other) || one.order - other.order || one.slug.localeCompare(other.slug)
  )
}
