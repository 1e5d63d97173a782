import { isObject } from "../domain/Json.ts"
import { list, names, text } from "./Fields.ts"
import { listFormat, whole } from "./Items.ts"

/** What linkding's REST API answers: a list of bookmarks, or a page of one with the bookmarks as `results`. */
export const linkding = listFormat({
  name: "linkding",
  label: "list of linkding's API (JSON)",
  items: (json) => (isObject(json) && Array.isArray(json["results"]) ? list(json["results"]) : whole(json)),
  own: (item) => "url" in item && Array.isArray(item["tag_names"]),
  read: (item, time) => ({
    url: text(item["url"]),
    title: text(item["title"]) || text(item["website_title"]),
    note: text(item["notes"]),
    description: text(item["description"]) || text(item["website_description"]),
    tags: names(item["tag_names"]),
    createdAt: time(item["date_added"])
  })
})
