import { Schema } from "effect"
import { MAX_SEARCHES } from "../shared/Limits.ts"
import { sorts } from "../shared/ListParameters.ts"

export const SavedSearch = Schema.Struct({
  id: Schema.Int,
  name: Schema.String.annotations({ description: "Its name, which no other saved search has in any case." }),
  query: Schema.String.annotations({ description: "The search text, with operators." }),
  sort: Schema.NullOr(Schema.Literal(...sorts)).annotations({
    description: "The order of its list; null for the default order."
  }),
  pinned: Schema.Boolean.annotations({ description: "Whether the sidebar shows it." }),
  order: Schema.Int.annotations({ description: "Its place among the saved searches, counted from 0." }),
  feedText: Schema.Boolean.annotations({
    description: "Whether its feed carries the kept text of the pages, and not their summaries alone."
  }),
  createdAt: Schema.String,
  /** The secret part of its feed's address: anyone who knows it can read the feed. */
  token: Schema.Redacted(Schema.String)
})
export type SavedSearch = typeof SavedSearch.Type

export class SearchNotFound extends Schema.TaggedError<SearchNotFound>()("SearchNotFound", {}) {
  override get message() {
    return "This saved search was deleted."
  }
}

export class SearchNameTaken extends Schema.TaggedError<SearchNameTaken>()("SearchNameTaken", {
  name: Schema.String
}) {
  override get message() {
    return `Another saved search is called “${this.name}”. Choose another name.`
  }
}

export class TooManySearches extends Schema.TaggedError<TooManySearches>()("TooManySearches", {}) {
  override get message() {
    return `There can be at most ${MAX_SEARCHES} saved searches. Delete one first.`
  }
}
