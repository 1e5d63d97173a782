import { Effect, Either, Option, ParseResult, Schema } from "effect"
import { Setting } from "../config/Configuration.ts"
import { PublicLink } from "../domain/Link.ts"
import type { Highlights } from "../domain/LinkQuery.ts"
import type { PublicPage } from "../search/PublicSearch.ts"

/** A shared link with the positions of the search words in it. */
interface SharedLink {
  readonly link: PublicLink
  readonly marks: Highlights | undefined
}

const decode = Schema.decodeEither(Schema.parseJson(PublicLink))

/** Names the first invalid field; the whole message would repeat the row's values. */
const invalidField = (error: ParseResult.ParseError): string =>
  ParseResult.ArrayFormatter.formatErrorSync(error)[0]?.path.join(".") ?? ""

/**
 * Decodes the links of a page. Leaves out a row that is not a shared link, and logs why, so that it hides no other link.
 */
export const sharedLinks = Effect.fnUntraced(function* ({ highlights, links }: PublicPage) {
  const decoded: Array<SharedLink> = []
  for (const [at, text] of links.entries()) {
    const link = decode(text)
    if (Either.isRight(link)) decoded.push({ link: link.right, marks: highlights?.[at] })
    else yield* Effect.logError("A row of the public list is invalid", { field: invalidField(link.left) })
  }
  return decoded
})

/** The public address of the service without a slash at its end; none if it is unset or its source is unreadable. */
export const publicAddress = Effect.map(
  Effect.orElseSucceed(Setting.publicUrl.config, () => Option.none<string>()),
  Option.map((url) => url.replace(/\/+$/, ""))
)
