import { Context, Schema } from "effect"

/** `owner` is the dashboard or the command line; `token:NAME` is the program with a token of this name. */
export const Author = Schema.Union(
  Schema.Literal("owner", "bot", "extension", "import", "job", "rule"),
  Schema.TemplateLiteral("token:", Schema.String)
)
export type Author = typeof Author.Type

/** The author of all changes that a fiber and its children make; each way in sets it once. */
export class CurrentAuthor extends Context.Reference<CurrentAuthor>()("CurrentAuthor", {
  defaultValue: (): Author => "owner"
}) {}
