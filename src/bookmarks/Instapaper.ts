import { decoded, parts } from "./Fields.ts"
import { listed } from "./Listed.ts"
import { hasAll, tableFormat } from "./Tables.ts"

/** Folders that say what has become of a page, and are nobody's own. */
const states = new Set(["unread", "archive", "starred"])

/** Instapaper's table: `URL,Title,Selection,Folder`, and `Timestamp,Tags` in later ones, where tags are a list in JSON. */
export const instapaper = tableFormat({
  name: "instapaper",
  label: "Instapaper export (CSV)",
  own: (columns) => hasAll(columns, "url", "title", "selection", "folder"),
  read: (cell, time) => {
    const folder = cell("folder")
    const tags = cell("tags")
    return {
      url: cell("url"),
      title: decoded(cell("title")),
      note: cell("selection"),
      tags: listed(tags) ?? parts(tags, ","),
      folders: folder === "" || states.has(folder.toLowerCase()) ? [] : [folder],
      createdAt: time(cell("timestamp")),
      favorite: folder.toLowerCase() === "starred"
    }
  }
})
