import { Either, Option, ParseResult, Schema } from "effect"
import type { Cursor, PublicCursor } from "../domain/LinkQuery.ts"

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

const fromBase64 = (text: string) => Buffer.from(text, "base64url").toString()
const toBase64 = (text: string) => Buffer.from(text).toString("base64url")

/** Encodes a cursor as the text that a client sends back: base64url of JSON. */
export const encodeCursor = (cursor: Cursor): string =>
  toBase64(
    encode(
      cursor.sort === "collection"
        ? [cursor.sort, cursor.value, cursor.id]
        : [cursor.sort, cursor.value, cursor.id]
    )
  )

/** Decodes the text of a cursor; returns none for any other text. */
export const decodeCursor = (text: string): Option.Option<Cursor> =>
  Option.map(
    Either.getRight(decode(fromBase64(text))),
    (place): Cursor =>
      place[0] === "collection"
        ? { sort: place[0], value: place[1], id: place[2] }
        : { sort: place[0], value: place[1], id: place[2] }
  )

const Seen = Schema.Int.pipe(Schema.between(0, 1_000_000))
const PublicPlace = Schema.parseJson(
  Schema.Union(
    Schema.Struct({ sort: Schema.Literal("relevance"), value: Seen, seen: Schema.Literal(0) }),
    Schema.Struct({ sort: Schema.Literal("newest", "oldest", "title"), value: Schema.String, seen: Seen }),
    Schema.Struct({
      sort: Schema.Literal("collection"),
      value: Schema.Tuple(Schema.NullOr(Schema.String), Schema.String),
      seen: Seen
    })
  )
)
const encodePublic = ParseResult.encodeSync(PublicPlace)
const decodePublic = ParseResult.decodeUnknownEither(PublicPlace)

/** Encodes a cursor of the public list. The text holds nothing that is not on the list. */
export const encodePublicCursor = (cursor: PublicCursor): string => toBase64(encodePublic(cursor))

/** Decodes the text of a cursor of the public list; returns none for any other text. */
export const decodePublicCursor = (text: string): Option.Option<PublicCursor> =>
  Either.getRight(decodePublic(fromBase64(text)))
