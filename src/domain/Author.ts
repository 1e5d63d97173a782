import { Context, Schema } from "effect"

/**
 * Who makes a change: the owner in the dashboard or on the command line, the owner through the bot or the browser
 * extension, an import, a job of the service, a rule, or the program with a token of this name.
 */
export const Author = Schema.Union(
  Schema.Literal("owner", "bot", "extension", "import", "job", "rule"),
  Schema.TemplateLiteral("token:", Schema.String)
)
export type Author = typeof Author.Type

/** The author of all changes that a fiber and its children make; each way in sets it once. */
export class CurrentAuthor extends Context.Reference<CurrentAuthor>()("CurrentAuthor", {
  defaultValue: (): Author => "owner"
}) {}
