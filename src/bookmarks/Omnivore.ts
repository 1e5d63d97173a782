import { decoded, names, text } from "./Fields.ts"
import { listFormat, whole } from "./Items.ts"

/** What Omnivore exported until it was shut down: a zip's `metadata_*.json`, each a list of pages. */
export const omnivore = listFormat({
  name: "omnivore",
  label: "Omnivore export (JSON)",
  items: whole,
  own: (item) => "url" in item && "savedAt" in item && ("slug" in item || Array.isArray(item["labels"])),
  read: (item, time) => ({
    url: text(item["url"]),
    title: decoded(item["title"]),
    description: decoded(item["description"]),
    tags: names(item["labels"]),
    createdAt: time(item["savedAt"])
  })
})
