import { listed } from "./Listed.ts"
import { hasAll, tableFormat } from "./Tables.ts"

/** The table of Readwise Reader. Tags that are no list are left out: nothing tells where one of them ends. */
export const readwise = tableFormat({
  name: "readwise",
  label: "Readwise Reader export (CSV)",
  own: (columns) => hasAll(columns, "title", "url", "documenttags", "saveddate"),
  read: (cell, time) => ({
    url: cell("url"),
    title: cell("title"),
    note: cell("documentnote"),
    tags: listed(cell("documenttags")) ?? [],
    createdAt: time(cell("saveddate"))
  })
})
