import { isObject } from "../domain/Json.ts"
import { decoded, flag, text } from "./Fields.ts"
import { listFormat } from "./Items.ts"

/** What Readability, the reading list, exported until it was shut down. */
export const readability = listFormat({
  name: "readability",
  label: "Readability export (JSON)",
  items: (json) => (isObject(json) && Array.isArray(json["bookmarks"]) ? json["bookmarks"] : undefined),
  own: (item) => "article__url" in item,
  read: (item, time) => ({
    url: text(item["article__url"]),
    title: decoded(item["article__title"]),
    description: decoded(item["article__excerpt"]),
    createdAt: time(item["date_added"]),
    favorite: flag(item["favorite"])
  })
})
