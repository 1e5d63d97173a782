import { Effect } from "effect"
import { flag } from "../Fields.ts"
import { type Format, sortReadings, timeParser, wrongFormatError } from "../Format.ts"
import { elements, readXml, xmlRoot } from "../Xml.ts"

const LABEL = "Pinboard or Delicious export (XML)"

const recognizes: Format["recognizes"] = ({ json, text }) =>
  json === undefined && xmlRoot(text) === "posts" && /<post\b|<posts\b[^>]*\/>/i.test(text)

/**
 * The list of posts that the API of Delicious defined and that Pinboard's API and backup keep
 * (https://pinboard.in/api/#posts_all): `description` is the title and `extended` the note.
 */
export const postsXml: Format = {
  name: "posts-xml",
  label: LABEL,
  guides: [
    {
      from: "Pinboard, Delicious (shut down)",
      file: "XML",
      how: "*Settings*, *Backup*, or the API's `posts/all`",
      keeps: "tags, description as the note, date, to read as unread"
    }
  ],
  counts: "line",
  recognizes,
  read: Effect.fn("postsXml.read")(function* (file) {
    if (!recognizes(file)) return yield* wrongFormatError(LABEL)
    const time = yield* timeParser
    const posts = [...elements(readXml(file.text), "post")]
    return sortReadings(
      posts.map(({ attributes, line }) => {
        const said = (name: string) => attributes.get(name)?.trim() ?? ""
        return {
          place: line,
          said: {
            url: said("href"),
            title: said("description"),
            note: said("extended"),
            // Delicious wrote this for a post without a tag.
            tags: said("tag")
              .split(/\s+/)
              .filter((tag) => tag !== "" && tag !== "system:unfiled"),
            createdAt: time(said("time")),
            state: flag(said("toread")) ? ("unread" as const) : ("read" as const)
          }
        }
      })
    )
  })
}
