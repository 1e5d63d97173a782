import { isObject, type Json } from "../domain/Json.ts"
import { joinNotes } from "../domain/Note.ts"
import { decoded, flag, list, names, text } from "./Fields.ts"
import { listFormat, whole } from "./Items.ts"

/** What was marked in the page and what was written about it, each on a line of its own. */
const noteOf = (item: Json): string =>
  list(item["annotations"])
    .filter(isObject)
    .flatMap((annotation) => [text(annotation["quote"]), text(annotation["text"])])
    .reduce(joinNotes, "")

/** What wallabag exports, in its first version (`is_fav`) and in the second one (`is_starred`): a list of pages. */
export const wallabag = listFormat({
  name: "wallabag",
  label: "wallabag export (JSON)",
  items: whole,
  own: (item) =>
    "url" in item &&
    ("is_starred" in item || "is_archived" in item || ("is_fav" in item && "is_read" in item)),
  read: (item, time) => ({
    url: text(item["url"]),
    title: decoded(item["title"]),
    note: noteOf(item),
    tags: names(item["tags"]),
    createdAt: time(item["created_at"]),
    favorite: flag(item["is_starred"]) || flag(item["is_fav"])
  })
})
