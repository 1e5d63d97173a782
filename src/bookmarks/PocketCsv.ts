import { decoded, parts } from "./Fields.ts"
import { hasAll, tableFormat } from "./Tables.ts"

/** The table Pocket exported until it was shut down: `title,url,time_added,tags,status`. */
export const pocketCsv = tableFormat({
  name: "pocket-csv",
  label: "Pocket export (CSV)",
  own: (columns) => hasAll(columns, "title", "url", "timeadded", "tags", "status"),
  read: (cell, time) => ({
    url: cell("url"),
    title: decoded(cell("title")),
    tags: parts(cell("tags"), "|"),
    createdAt: time(cell("timeadded"))
  })
})
