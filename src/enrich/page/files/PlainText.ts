import { MAX_PAGE_TEXT } from "../../../shared/Limits.ts"
import { cleanLine } from "../../../shared/Text.ts"
import { preformatted } from "../article/Articles.ts"
import { extensionOf } from "./FileName.ts"
import {
  fileContent,
  fileMetadata,
  joinLines,
  proseContent,
  type ReadFile,
  type TextFile
} from "./FileReader.ts"

/** In UTF-16 units: cleaning only shortens it. */
const MAX_READ = MAX_PAGE_TEXT * 2

/** In UTF-16 units. */
const MAX_TITLE_LINE = 120

/** Extensions of prose; other text files are known by their names, not by their first lines. */
const prose: ReadonlySet<string> = new Set(["", "txt", "text", "me", "1st"])

/** The first line if it stands alone, as a title does: short, underlined or with an empty line below. */
const titleOf = (text: string): string | undefined => {
  const [first = "", second = ""] = text.trimStart().split("\n", 2)
  const standsAlone = second.trim() === "" || /^[=\-~*#_\s]{3,}$/.test(second)
  const title = cleanLine(first, MAX_PAGE_TEXT)
  return standsAlone && title.length <= MAX_TITLE_LINE && /\p{L}{2}/u.test(title) ? title : undefined
}

/** Lines of prose longer than this were broken by a program and go on in the next line. */
const WRAPPED = 45

const beginsNew = (line: string) => /^\s|^[-*+•>#|]|^\d+[.)]\s/.test(line)

/** One paragraph per line: joins lines that were broken to fit a width. */
const paragraphsOf = (text: string): ReadonlyArray<string> => {
  const paragraphs: Array<string> = []
  let above = ""
  for (const line of text.split("\n")) {
    const isContinued =
      above.trimEnd().length > WRAPPED && above.length < 100 && line.trim() !== "" && !beginsNew(line)
    const index = paragraphs.length - 1
    if (isContinued && index >= 0) paragraphs[index] += ` ${line.trim()}`
    else paragraphs.push(line)
    above = line
  }
  return paragraphs
}

export const readText = (file: TextFile): ReadFile => {
  const text = file.text.slice(0, MAX_READ).replaceAll(/\r\n?/g, "\n")
  const isProse = prose.has(extensionOf(file.name))
  return {
    metadata: fileMetadata(file, { title: isProse ? titleOf(text) : undefined }),
    content: () =>
      isProse
        ? proseContent(joinLines(paragraphsOf(text)), preformatted(text))
        : fileContent(joinLines(text.split("\n")), preformatted(text))
  }
}
