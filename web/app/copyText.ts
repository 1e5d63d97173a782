/** Copies by selection, for when the Clipboard API is missing or blocked: over plain HTTP, in older browsers. */
const copyBySelection = (text: string): boolean => {
  const area = document.createElement("textarea")
  area.value = text
  area.className = "visually-hidden"
  const before = document.activeElement
  document.body.append(area)
  area.select()
  const copied = document.execCommand("copy")
  area.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return copied
}

/** Copies text to the clipboard; rejects with an error message if the browser does not allow it. */
export const copyText = async (text: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    if (!copyBySelection(text)) throw new Error("The browser does not allow it.")
  }
}

interface Named {
  readonly title: string
  readonly url: string
}

/** Returns one address per line. */
export const asUrls = (links: ReadonlyArray<Named>): string => links.map(({ url }) => `${url}\n`).join("")

/** A Markdown link (CommonMark 0.31, 6.3 Links); signs in the title that Markdown would read as its own are escaped. */
export const asMarkdownLink = ({ title, url }: Named): string => {
  const text = title.replace(/\s+/g, " ").replace(/[\\[\]*_`<>]/g, "\\$&")
  return `[${text}](${/[()\s]/.test(url) ? `<${url}>` : url})`
}

export const asMarkdown = (links: ReadonlyArray<Named>): string =>
  links.map((link) => `- ${asMarkdownLink(link)}\n`).join("")

/** The text of a Markdown file, without the properties at its head. */
export const withoutProperties = (file: string): string => file.replace(/^---\n[\s\S]*?\n---\n+/, "")
