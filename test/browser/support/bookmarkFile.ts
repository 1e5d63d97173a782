import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A temporary folder for files to import. */
export const makeFiles = () => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-import-"))
  return {
    path: (name: string) => join(folder, name),
    write: (name: string, content: string | Uint8Array): string => {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    },
    clean: () => rmSync(folder, { recursive: true, force: true })
  }
}

interface Entry {
  readonly url: string
  readonly title: string
  readonly tags?: string
}

/** A browser's bookmark file (Netscape) with one folder; each bookmark is a line, the first is line 7. */
export const netscapeOf = (folder: string, entries: ReadonlyArray<Entry>): string =>
  [
    "<!DOCTYPE NETSCAPE-Bookmark-file-1>",
    '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">',
    "<TITLE>Bookmarks</TITLE>",
    "<H1>Bookmarks</H1>",
    "<DL><p>",
    `    <DT><H3>${folder}</H3><DL><p>`,
    ...entries.map(
      ({ tags = "", title, url }) =>
        `    <DT><A HREF="${Bun.escapeHTML(url)}" ADD_DATE="1700000000" TAGS="${tags}">${title}</A>`
    ),
    "    </DL><p>",
    "</DL><p>",
    ""
  ].join("\n")
