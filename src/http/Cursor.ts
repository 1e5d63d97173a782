import { Either, Option, ParseResult, Schema } from "effect"
import type { Cursor } from "../domain/LinkQuery.ts"

const Place = Schema.parseJson(
  Schema.Tuple(
    Schema.Literal("newest", "oldest", "title", "relevance"),
    Schema.Union(Schema.String, Schema.Number),
    Schema.Int
  )
)
const encode = ParseResult.encodeSync(Place)
const decode = ParseResult.decodeUnknownEither(Place)

/** A cursor as the text a client sends back (base64url of JSON); its inside is nobody's business. */
export const encodeCursor = ({ id, sort, value }: Cursor): string =>
  Buffer.from(encode([sort, value, id])).toString("base64url")

/** The cursor such a text stands for; none where it is not one of ours. */
export const decodeCursor = (text: string): Option.Option<Cursor> =>
  Option.map(Either.getRight(decode(Buffer.from(text, "base64url").toString())), ([sort, value, id]) => ({
    sort,
    value,
    id
  }))
