import { decoded, names, text } from "./Fields.ts"
import { listFormat, whole } from "./Items.ts"

/** What Delicious exports as JSON; its description of a page is written by the owner, and so a note. */
export const delicious = listFormat({
  name: "delicious",
  label: "Delicious export (JSON)",
  items: whole,
  own: (item) =>
    "url" in item &&
    "created" in item &&
    Array.isArray(item["tags"]) &&
    ("private" in item || "others" in item),
  read: (item, time) => ({
    url: text(item["url"]),
    title: decoded(item["title"]),
    note: decoded(item["description"]),
    tags: names(item["tags"]),
    createdAt: time(item["created"])
  })
})
