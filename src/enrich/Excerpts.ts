/** A page's stored text, one paragraph a line, and what a prompt says of the page beside it. */
export interface ExcerptSource {
  readonly text: string
  readonly said: ReadonlyArray<string>
  /** Whether a summary stands beside the excerpt, which then only has to back it up. */
  readonly summarized: boolean
}

/** The most characters of one page's text, and of all of them together, that one prompt holds. */
export interface ExcerptLimits {
  readonly page: number
  readonly summarizedPage: number
  readonly prompt: number
}

/**
 * The product's limits, in UTF-16 units: about 5,000 tokens of page text a prompt, which leaves twenty pages without a
 * summary 1,000 characters each.
 */
export const excerptLimits: ExcerptLimits = { page: 2_000, summarizedPage: 600, prompt: 20_000 }

/** Shorter lines are mostly headings, menus and buttons: they come after the paragraphs, where there is room. */
const PARAGRAPH = 60
/** Lines of a text that are looked at. */
const MAX_LINES = 1_000

/** Letters and digits alone: what stays the same where a sentence is quoted with other punctuation. */
const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "")

/** The lines of a text that say something new: each once, and none that the prompt says already. */
const newLines = ({ said, text }: ExcerptSource): ReadonlyArray<string> => {
  const known = said.map(bare).join("\n")
  const seen = new Set<string>([""])
  const lines: Array<string> = []
  for (const line of text.split("\n", MAX_LINES)) {
    const words = bare(line)
    if (seen.has(words) || known.includes(words)) continue
    seen.add(words)
    lines.push(line.trim())
  }
  return lines
}

/** The text cut before the word that does not fit; within it where it is one word. */
const cutAtWord = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const head = text.slice(0, limit).replace(/[\ud800-\udbff]$/, "")
  const end = head.lastIndexOf(" ")
  return end > limit / 2 ? head.slice(0, end) : head
}

const lengthOf = (lines: ReadonlyArray<string>): number =>
  lines.reduce((sum, line) => sum + line.length + 1, 0)

/** The paragraphs from the first one on, then the shorter lines, as many as fit, in the order of the page. */
const excerptOf = (lines: ReadonlyArray<string>, limit: number): string => {
  const order = [...lines.keys()]
  const isParagraph = (index: number) => (lines[index]?.length ?? 0) >= PARAGRAPH
  const chosen = new Map<number, string>()
  let room = limit
  for (const index of [...order.filter(isParagraph), ...order.filter((one) => !isParagraph(one))]) {
    if (room <= 0) break
    const part = cutAtWord(lines[index] ?? "", room)
    if (part !== "") chosen.set(index, part)
    room -= part.length + 1
  }
  return order.flatMap((index) => chosen.get(index) ?? []).join(" ")
}

/** Splits `total`: no page gets more than it wants, and what it leaves goes to the others in equal parts. */
const sharesOf = (wants: ReadonlyArray<number>, total: number): ReadonlyArray<number> => {
  const shares = wants.map(() => 0)
  let left = total
  let waiting = wants.length
  for (const [index, want] of [...wants.entries()].sort((a, b) => a[1] - b[1])) {
    const share = Math.min(want, Math.floor(left / waiting--))
    shares[index] = share
    left -= share
  }
  return shares
}

/**
 * An excerpt of each page's text for one prompt, empty where a page has no text.
 *
 * Paragraphs are taken from the beginning, where pages say what they are about, and before headings and menus. Lines
 * that repeat the title, the description or the summary are left out. Pages with little text leave their share to the
 * others. No excerpt is longer than its page's limit, and all together are no longer than the prompt's.
 */
export const excerpts = (
  pages: ReadonlyArray<ExcerptSource>,
  limits: ExcerptLimits = excerptLimits
): ReadonlyArray<string> => {
  const texts = pages.map((page) => ({ page, lines: newLines(page) }))
  const wants = texts.map(({ lines, page }) =>
    Math.min(lengthOf(lines), page.summarized ? limits.summarizedPage : limits.page)
  )
  const shares = sharesOf(wants, limits.prompt)
  return texts.map(({ lines }, index) => excerptOf(lines, shares[index] ?? 0))
}
