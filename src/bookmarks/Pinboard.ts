import { decoded, text } from "./Fields.ts"
import { listFormat, whole } from "./Items.ts"

/** What Pinboard exports as JSON, in words it has from Delicious: the description is the title, and what extends it a note. */
export const pinboard = listFormat({
  name: "pinboard",
  label: "Pinboard export (JSON)",
  items: whole,
  own: (item) => "href" in item && "time" in item && ("extended" in item || "toread" in item),
  read: (item, time) => ({
    url: text(item["href"]),
    title: decoded(item["description"]),
    note: text(item["extended"]),
    tags: text(item["tags"])
      .split(/\s+/)
      .filter((tag) => tag !== ""),
    createdAt: time(item["time"])
  })
})
