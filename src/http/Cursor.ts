import { Either, Option, ParseResult, Schema } from "effect"
import type { Cursor } from "../domain/LinkQuery.ts"
import type { Audience } from "../store/Matching.ts"
import { seal, unseal } from "./Sealed.ts"

const Place = Schema.parseJson(
  Schema.Union(
    Schema.Tuple(
      Schema.Literal("newest", "oldest", "title", "relevance"),
      Schema.Union(Schema.String, Schema.Number),
      Schema.Int
    ),
    Schema.Tuple(
      Schema.Literal("collection"),
      Schema.Tuple(Schema.NullOr(Schema.String), Schema.String),
      Schema.Int
    )
  )
)
const encode = ParseResult.encodeSync(Place)
const decode = ParseResult.decodeUnknownEither(Place)

/**
 * A cursor as the text a client sends back: base64url of JSON. To the public links have no number, and a cursor holds one:
 * theirs is sealed.
 */
export const encodeCursor = (cursor: Cursor, audience: Audience): string => {
  const text = encode(
    cursor.sort === "collection"
      ? [cursor.sort, cursor.value, cursor.id]
      : [cursor.sort, cursor.value, cursor.id]
  )
  return audience === "public" ? seal(text) : Buffer.from(text).toString("base64url")
}

/** The cursor such a text stands for; none where it is not one of ours. */
export const decodeCursor = (text: string, audience: Audience): Option.Option<Cursor> => {
  const opened = audience === "public" ? unseal(text) : Option.some(Buffer.from(text, "base64url").toString())
  return opened.pipe(
    Option.flatMap((json) => Either.getRight(decode(json))),
    Option.map(
      (place): Cursor =>
        place[0] === "collection"
          ? { sort: place[0], value: place[1], id: place[2] }
          : { sort: place[0], value: place[1], id: place[2] }
    )
  )
}
