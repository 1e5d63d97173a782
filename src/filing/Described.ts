/** What a link says of itself. */
export interface Described {
  readonly title: string
  readonly description: string
  readonly summary: string
  readonly tags: ReadonlyArray<string>
  readonly category: string
}

/** What a link says in words: its title, its tags as words, and its summary or else the page's description. */
export const describedText = ({ description, summary, tags, title }: Described): string =>
  `${title}\n${tags.join(" ").replaceAll("-", " ")}\n${summary || description}`
