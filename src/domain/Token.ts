import { Data, Schema } from "effect"

/** What a program may do: each scope allows its own kind of request and no other. */
export const Scope = Schema.Literal("read", "save", "change", "delete", "share").annotations({
  description:
    "`read` the library; `save` links and add to known ones; `change` links, tags and collections; `delete` them; `share` them on the public list."
})
export type Scope = typeof Scope.Type

const MAX_NAME = 60

export const TokenName = Schema.String.pipe(
  Schema.maxLength(MAX_NAME),
  Schema.pattern(/^[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?$/u)
).annotations({ description: "The program's name, which no other token has." })

const time = (description: string) => Schema.NullOr(Schema.String).annotations({ description })

export const Token = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  scopes: Schema.Array(Scope),
  createdAt: Schema.String,
  expiresAt: time("When it expires, an ISO 8601 time in UTC; null if it does not."),
  lastUsedAt: time("When it was last used, to the minute; null if it never was."),
  client: Schema.optional(
    Schema.Struct({
      returnsTo: Schema.String.annotations({
        description: "Where it took the browser back: a host, or `this computer`."
      })
    })
  ).annotations({
    description:
      "Only of a program that the owner allowed on the consent page (OAuth): it renews its token, and `expiresAt` is when it loses the access unless it does."
  })
}).annotations({ identifier: "Token" })
export type Token = typeof Token.Type

export class TokenNameTaken extends Data.TaggedError("TokenNameTaken")<{ readonly name: string }> {
  override get message() {
    return `There is a token named ${this.name} already. Choose another name, or revoke that token first.`
  }
}

export class TokenNotFound extends Data.TaggedError("TokenNotFound")<{ readonly token: string }> {
  override get message() {
    return `There is no token ${this.token}.`
  }
}
