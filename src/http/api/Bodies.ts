import { Schema } from "effect"
import { ByHand, ListedChange, PastChange } from "../../domain/Change.ts"
import { HealthProblem } from "../../domain/Health.ts"
import { JobState, jobUnion, shownResults } from "../../domain/Job.ts"
import {
  Alias,
  CollectionColor,
  CollectionIcon,
  Collection as CollectionLabel,
  MAX_COLLECTION_DESCRIPTION,
  NamedLabel,
  Twins,
  UsedName
} from "../../domain/Label.ts"
import { Link, LinkId, LinkState, PublicLink } from "../../domain/Link.ts"
import { Highlights } from "../../domain/LinkQuery.ts"
import { SavedSearch } from "../../domain/SavedSearch.ts"
import {
  MAX_ADDRESS,
  MAX_CATEGORY,
  MAX_COLLECTION_PATH,
  MAX_NOTE,
  MAX_SEARCH_NAME,
  MAX_SEARCH_TEXT,
  MAX_SEARCHES,
  MAX_SUMMARY,
  MAX_TAG_GIVEN,
  MAX_TITLE
} from "../../shared/Limits.ts"
import { MAX_OWNER_TAGS } from "../../shared/Tags.ts"
import { described } from "./Input.ts"

const total = described(Schema.Int, "The number of matching links on all pages.")
const nextCursor = described(
  Schema.NullOr(Schema.String),
  "The cursor of the next page; null on the last one."
)
const highlights = Schema.optional(
  described(
    Schema.Array(Highlights),
    "The positions of the search words in each link, in the order of the links; absent without search words."
  )
)

const notices = described(
  Schema.Array(Schema.Struct({ text: Schema.String, from: Schema.Int, to: Schema.Int })),
  "Parts of the search text that look like operators and were searched for as words, and the words near in meaning that were searched for instead of words that no link contains (`also: bookmark`), with their positions in UTF-16 units."
)

/** A page of the owner's links; `nextCursor` is null on the last page. */
export const LinksAnswer = Schema.Struct({
  links: Schema.Array(Link),
  total,
  nextCursor,
  complete: Schema.optional(
    described(
      Schema.Literal(false),
      "With `wait=false`: the links were found by words alone; the same request without `wait` also finds those with a similar meaning."
    )
  ),
  highlights,
  notices
})

export const LinksByNumberAnswer = Schema.Struct({ links: Schema.Array(Link) })
export type LinksByNumberAnswer = typeof LinksByNumberAnswer.Type

/** Keys of saved pages, by which a program tells without a request whether an address is saved. */
export const KeysAnswer = Schema.Struct({
  ids: described(Schema.Array(Schema.Int), "Links' numbers, ascending."),
  keys: described(
    Schema.Array(Schema.String),
    "What all forms of the address of each link's page have in common: the host without `www.`, the path, and the parameters that count."
  ),
  next: described(Schema.NullOr(Schema.Int), "Where the next block starts; null after the last.")
})

export const ChangesAnswer = Schema.Struct({
  changes: Schema.Array(ListedChange),
  next: described(Schema.NullOr(Schema.Int), "The `before` of the next page; null on the last one.")
})

/** A link with everything that is known about it; `undo` takes a past change's `token`. */
export const LinkAnswer = Schema.Struct({
  link: Link,
  text: described(Schema.String, "The page's readable text, as far as it is stored."),
  handTags: described(Schema.Array(Schema.String), "The tags that the owner gave."),
  byHand: described(
    Schema.Array(ByHand),
    "The fields that the owner set by hand, which nothing else changes."
  ),
  history: described(
    Schema.Array(PastChange),
    "The changes that are kept to be undone, newest first, at most 50: those of the last seven days, and programs’ of the last 30."
  ),
  likelyTags: described(
    Schema.Array(Schema.String),
    "Tags in use that the link may lack, the likeliest first, at most 8."
  ),
  snapshotAt: described(
    Schema.NullOr(Schema.String),
    "When the newest snapshot of its page was made, an ISO 8601 time in UTC; null for a page without a snapshot. It is at `/dashboard/read/{id}/snapshot`."
  ),
  earlierSnapshots: described(
    Schema.Array(Schema.Struct({ version: Schema.Int, savedAt: Schema.String })),
    "The snapshots before it, newest first, at `/dashboard/read/{id}/snapshot?version={version}`."
  )
})

const SharedCollection = Schema.Struct({
  name: described(Schema.String, "Its path from the outermost shared collection."),
  description: Schema.String
}).annotations({ identifier: "SharedCollection" })

/** A page of the shared links. */
export const PublicLinksAnswer = Schema.Struct({
  links: Schema.Array(PublicLink),
  total,
  nextCursor,
  highlights,
  notices,
  collection: Schema.optional(SharedCollection).annotations({
    description: "The shared collection that the request names; absent if it names none or another one."
  })
})

const Counted = Schema.Struct({ name: Schema.String, count: Schema.Int })

/** The data behind the dashboard's filters and footer. */
export const MetaAnswer = Schema.Struct({
  total: Schema.Int,
  favorites: Schema.Int,
  shareable: Schema.Int,
  uncollected: Schema.Int,
  unread: described(Schema.Int, "Imported links whose pages have not been read yet."),
  states: described(
    Schema.Struct({ unread: Schema.Int, read: Schema.Int, archived: Schema.Int }),
    "The number of links in each state."
  ),
  trash: described(Schema.Int, "The number of links in the trash."),
  troubled: described(Schema.Int, "The number of links whose page is broken, has moved or has changed."),
  categories: Schema.Array(Counted),
  collections: Schema.Array(
    Schema.Struct({
      ...Counted.fields,
      ...CollectionLabel.pick("id", "parent", "color", "description", "icon", "order", "shareable").fields
    })
  ),
  tags: Schema.Array(Counted),
  searches: described(
    Schema.Array(SavedSearch.pick("id", "name", "query", "sort")),
    "The saved searches that the sidebar shows, in order."
  ),
  model: Schema.Struct({ id: Schema.String, configured: Schema.Boolean }),
  embedder: described(
    Schema.Struct({ name: Schema.String, dimensions: Schema.Int }),
    "The embedder whose vectors answer searches; `dimensions` is 0 until it has made the first one."
  ),
  threshold: described(Schema.Number, "The minimum similarity at which links belong together."),
  setup: described(
    Schema.Struct({
      bot: Schema.Boolean,
      webhook: Schema.Boolean,
      polling: Schema.Boolean,
      chat: Schema.Boolean,
      extension: Schema.Boolean,
      publicUrl: Schema.NullOr(Schema.String)
    }),
    "Which settings for adding links are set, and whether the service fetches the bot's messages itself (`polling`), which needs no `webhook`. Only the public address is given with its value."
  ),
  problems: described(
    Schema.Array(Schema.Struct({ name: HealthProblem, text: Schema.String })),
    "What fails in the service, with sentences that say what to do about it."
  ),
  version: Schema.String
})
export type MetaAnswer = typeof MetaAnswer.Type

/** The same for a program, whose token never reads the set-up nor what fails in it. */
export const ProgramMetaAnswer = MetaAnswer.omit("setup", "problems")

/** The sites with the most links, at most 1,000. */
export const SitesAnswer = Schema.Struct({ sites: Schema.Array(Counted) })

const bytes = (description: string) => Schema.Int.annotations({ description: `${description}, in bytes.` })
const topNames = described(Schema.Array(Counted), "At most 20, the largest first.")

/** The library in numbers. */
export const StatisticsAnswer = Schema.Struct({
  links: Schema.Int,
  favorites: Schema.Int,
  shared: Schema.Int,
  unfiled: described(Schema.Int, "Links in no collection."),
  collections: Schema.Int,
  categories: Schema.Int,
  states: described(
    Schema.Struct({ unread: Schema.Int, read: Schema.Int, archived: Schema.Int }),
    "Links by their state."
  ),
  incomplete: described(Schema.Int, "Links of which a part is missing; the search `is:partial` finds them."),
  pagesToRead: MetaAnswer.fields.unread,
  savedThisWeek: described(Schema.Int, "Links saved in the last 7 days."),
  savedThisMonth: described(Schema.Int, "Links saved in the last 30 days."),
  weeks: described(
    Schema.Array(Schema.Struct({ from: Schema.String, saved: Schema.Int })),
    "The links saved in each of the last 52 weeks, oldest first. A week begins on Monday at 0:00 UTC."
  ),
  top: Schema.Struct({
    sites: topNames,
    tags: topNames,
    categories: topNames,
    collections: described(
      Schema.Array(Schema.Struct({ id: Schema.Int, ...Counted.fields })),
      "At most 20, the largest first."
    )
  }),
  embeddings: Schema.Struct({
    embedder: Schema.String,
    done: described(Schema.Int, "Links with a vector of this embedder."),
    waiting: described(Schema.Int, "Links that wait for a vector.")
  }),
  pages: Schema.Struct({
    kept: described(Schema.Int, "Links whose page is kept, also those in the trash."),
    versions: described(Schema.Int, "The earlier versions of these pages."),
    missing: described(Schema.Int, "Links whose page is not kept, without those that are still to be read.")
  }),
  size: Schema.Struct({
    database: bytes("The library's file, `library.db`"),
    vectors: bytes("The vectors in it"),
    pages: bytes("The kept pages in it with their earlier versions, compressed, without pictures"),
    pictures: bytes("The previews and icons of links, which are fetched again when they are needed"),
    pagePictures: bytes("The pictures of kept pages in the library's file"),
    pagePicturesLimit: bytes("How much these may take (`KEEP_PICTURES`)")
  })
})
export type StatisticsAnswer = typeof StatisticsAnswer.Type

export const RecategorizeAnswer = Schema.Struct({
  links: described(Schema.Int, "Links whose category would be chosen again."),
  requests: described(
    Schema.Int,
    "Requests to the language model, without retries; 0 if no model is set up."
  ),
  resumes: described(Schema.Boolean, "Whether it would continue an interrupted run.")
})
export type RecategorizeAnswer = typeof RecategorizeAnswer.Type

/** Counts of the shared links by category, collection and tag, with only the 100 most used tags. */
export const PublicMetaAnswer = Schema.Struct({
  total: Schema.Int,
  categories: Schema.Array(Counted),
  collections: Schema.Array(Counted),
  tags: Schema.Array(Counted)
})
export type PublicMetaAnswer = typeof PublicMetaAnswer.Type

const Job = jobUnion(
  {
    state: JobState,
    done: described(Schema.Int, "The number of links done so far."),
    total: described(Schema.Int, "The number of links to do in all."),
    error: described(Schema.NullOr(Schema.String), "Why the job failed, in one sentence."),
    waiting: described(
      Schema.NullOr(Schema.String),
      "Why a running job is waiting, in one sentence; null if it is not waiting."
    ),
    undo: Schema.optional(
      described(Schema.String, "The `token` of an `undo` that undoes the job's changes.")
    ),
    startedAt: Schema.String,
    endedAt: Schema.NullOr(Schema.String)
  },
  shownResults
).annotations({
  identifier: "Job",
  description: "A job. When it is done, its `result` has the fields for its `action`."
})

export const JobAnswer = Schema.Struct({ job: Job })
export type JobAnswer = typeof JobAnswer.Type

/** Messages and captures that failed repeatedly and are no longer retried, newest first, at most 100. */
export const FailuresAnswer = Schema.Struct({
  partial: described(Schema.Int, "The number of incomplete links; the search `is:partial` finds them."),
  arrivals: Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      source: Schema.Literal("chat", "capture"),
      text: described(Schema.String, "The text of the message, or the captured address."),
      receivedAt: Schema.String
    })
  )
})
export type FailuresAnswer = typeof FailuresAnswer.Type

/** Running jobs first, then the most recent ones; results hold only counts. */
export const JobsAnswer = Schema.Struct({ jobs: Schema.Array(Job) })
export type JobsAnswer = typeof JobsAnswer.Type

const flag = (description: string) =>
  Schema.optionalWith(Schema.Boolean.annotations({ description }), { default: () => false })

const Refresh = Schema.Struct({
  action: Schema.Literal("refresh"),
  id: Schema.optional(LinkId),
  otherModel: flag(
    "Instead of one link by its `id`, refreshes every link whose summary is by another model than the current one, or by one that is not known. Summaries by the owner stay."
  )
}).pipe(
  Schema.filter(
    ({ id, otherModel }) =>
      (id === undefined) === otherModel || { path: ["id"], message: "One link, or those of other models" }
  )
)
const Recategorize = Schema.Struct({
  action: Schema.Literal("recategorize"),
  all: flag("Whether to include the links whose category the owner has set. An undo restores them."),
  otherModel: flag("Whether to leave out the links whose summary is by the current model or the owner.")
})
const Organize = Schema.Struct({
  action: Schema.Literal("organize"),
  dryRun: flag("Whether to report the changes without making them.")
})
const Duplicates = Schema.Struct({ action: Schema.Literal("dupes") })
const Read = Schema.Struct({
  action: Schema.Literal("read"),
  pause: flag("Whether to pause the job; starting it again continues it.")
})

const Retry = Schema.Struct({ action: Schema.Literal("retry") })
const Keep = described(
  Schema.Struct({
    action: Schema.Literal("keep"),
    pause: flag("Whether to pause the job; starting it again continues it.")
  }),
  "Reads the pages of links whose page is not kept, and keeps them. Asks no model."
)

const Check = Schema.Struct({ action: Schema.Literal("check"), id: LinkId })

/** What the owner decides about a page that has moved. */
export const KeptAddress = Schema.Struct({ keepAddress: Schema.Literal(true) })

/** The actions that the dashboard can start, by `action`: refreshing one link or looking whether its page is still there, or a job on the whole library. */
export const Action = Schema.Union(Refresh, Recategorize, Organize, Duplicates, Read, Keep, Retry, Check)
export type Action = typeof Action.Type

/** Maximum number of links in one change. */
const MAX_IDS = 100_000

const ids = Schema.NonEmptyArray(LinkId).pipe(Schema.maxItems(MAX_IDS))
const text = (limit: number) => Schema.String.pipe(Schema.maxLength(limit))
const tags = Schema.Array(text(MAX_TAG_GIVEN)).pipe(Schema.maxItems(MAX_OWNER_TAGS))
const name = (limit: number) => Schema.String.pipe(Schema.maxLength(limit), Schema.pattern(/\S/))

const Favorite = Schema.Struct({ op: Schema.Literal("favorite"), ids, favorite: Schema.Boolean })
const Shareable = Schema.Struct({ op: Schema.Literal("shareable"), ids, shareable: Schema.Boolean })
const Category = Schema.Struct({ op: Schema.Literal("category"), ids, category: name(MAX_CATEGORY) })
const Collection = Schema.Struct({
  op: Schema.Literal("collection"),
  ids,
  collection: Schema.NullOr(name(MAX_COLLECTION_PATH))
})
const Edit = Schema.Struct({
  op: Schema.Literal("edit"),
  ids: Schema.Tuple(LinkId),
  title: Schema.optional(name(MAX_TITLE)),
  summary: Schema.optional(Schema.String.pipe(Schema.maxLength(MAX_SUMMARY))),
  note: Schema.optional(text(MAX_NOTE)),
  tags: Schema.optional(described(tags, "All tags that the link is to have; the others are removed.")),
  url: Schema.optional(name(MAX_ADDRESS)),
  category: Schema.optional(name(MAX_CATEGORY)),
  collection: Schema.optional(Schema.NullOr(name(MAX_COLLECTION_PATH)))
}).pipe(
  Schema.filter(
    ({ ids: _, op: __, ...fields }) =>
      Object.values(fields).some((field) => field !== undefined) ||
      "needs a title, a summary, a note, tags, a url, a category or a collection"
  )
)
const Tags = Schema.Struct({
  op: Schema.Literal("tags"),
  ids,
  add: Schema.optional(tags),
  remove: Schema.optional(tags),
  set: Schema.optional(described(tags, "Replaces all tags, before `remove` and `add` apply."))
}).pipe(
  Schema.filter(
    ({ add, remove, set }) =>
      [add, remove, set].some((field) => field !== undefined) || 'needs "add", "remove" or "set"'
  )
)
const Note = Schema.Struct({ op: Schema.Literal("note"), ids, note: text(MAX_NOTE) })
const Url = Schema.Struct({ op: Schema.Literal("url"), ids: Schema.Tuple(LinkId), url: name(MAX_ADDRESS) })
const State = Schema.Struct({ op: Schema.Literal("state"), ids, state: LinkState })
const Refuse = described(
  Schema.Struct({ op: Schema.Literal("refuse"), ids }),
  "Takes the links out of the collections they were filed in, and never files them there again."
)
const Restore = described(
  Schema.Struct({ op: Schema.Literal("restore"), ids }),
  "Takes the links out of the trash."
)
const Merge = Schema.Struct({ op: Schema.Literal("merge"), ids, into: LinkId })
const Delete = Schema.Struct({
  op: Schema.Literal("delete"),
  ids,
  forever: flag(
    "Whether to delete the links for good, from the library or the trash, instead of moving them to the trash."
  )
})
const Undo = Schema.Struct({
  op: Schema.Literal("undo"),
  token: described(
    Schema.Union(Schema.UUID, Schema.Literal("last")),
    "A change's `undo`, or `last` for the sender's last change that still stands."
  ),
  force: Schema.optional(Schema.Boolean)
})

/** One change to one or many links, by `op`; it applies to all of its links or to none. */
export const Mutation = Schema.Union(
  Favorite,
  Shareable,
  Category,
  Collection,
  Edit,
  Tags,
  Note,
  Url,
  State,
  Refuse,
  Merge,
  Delete,
  Restore,
  Undo
)
export type Mutation = typeof Mutation.Type

/** `undo` undoes the change, absent if it is final; `deleted` have left the library. */
export const MutationAnswer = Schema.Struct({
  links: Schema.Array(Link),
  undo: Schema.optional(Schema.String),
  deleted: Schema.optional(Schema.Array(LinkId))
})
export type MutationAnswer = typeof MutationAnswer.Type

const changed = described(Schema.Int, "The number of links that the change touches.")
const undo = described(Schema.String, "The `token` of an `undo` that undoes the change.")
const aliases = described(Schema.Array(Alias), "The names that stand for others since a rename or a merge.")
const twins = described(Schema.Array(Twins), "Names that may mean the same.")

/** The tags in use, most used first. */
export const TagsAnswer = Schema.Struct({ tags: Schema.Array(UsedName), aliases, twins })
export const TagAnswer = Schema.Struct({ tag: NamedLabel })
export const EditedTagAnswer = Schema.Struct({ ...TagAnswer.fields, changed, undo })

/** The categories in use, most used first. */
export const CategoriesAnswer = Schema.Struct({ categories: Schema.Array(UsedName), aliases, twins })
export const CategoryAnswer = Schema.Struct({ category: NamedLabel })
export const EditedCategoryAnswer = Schema.Struct({ ...CategoryAnswer.fields, changed, undo })

/** The collections as a tree: each before those inside it, those of one parent in their order. */
export const CollectionsAnswer = Schema.Struct({ collections: Schema.Array(CollectionLabel), aliases, twins })
export const CollectionAnswer = Schema.Struct({ collection: CollectionLabel })
export const CreatedCollectionAnswer = Schema.Struct({ ...CollectionAnswer.fields, undo })
export const EditedCollectionAnswer = Schema.Struct({ ...CollectionAnswer.fields, changed, undo })

/** The response to a deletion of something other than links. */
export const RemovedAnswer = Schema.Struct({ changed, undo })
export type RemovedAnswer = typeof RemovedAnswer.Type

const NAME = 100

/** What is to become of a tag or a category: a new name, or another one that takes in its links. */
export const NameEdit = described(
  Schema.Union(
    Schema.Struct({ name: name(NAME), into: Schema.optional(Schema.Undefined) }),
    Schema.Struct({ into: name(NAME), name: Schema.optional(Schema.Undefined) })
  ),
  "Either `name`, to rename it, or `into`, to merge it into another one."
)
export type NameEdit = typeof NameEdit.Type

const collectionNumber = Schema.Int.pipe(Schema.positive())
const look = {
  description: Schema.optional(text(MAX_COLLECTION_DESCRIPTION)),
  color: Schema.optional(Schema.NullOr(CollectionColor)),
  icon: Schema.optional(Schema.NullOr(CollectionIcon))
}

export const NewCollection = Schema.Struct({
  name: name(MAX_COLLECTION_PATH),
  parent: Schema.optional(Schema.NullOr(collectionNumber)),
  ...look
})
export type NewCollection = typeof NewCollection.Type

/** What is to change about a collection. */
export const CollectionEdit = Schema.Struct({
  name: Schema.optional(
    described(
      name(MAX_COLLECTION_PATH),
      "Its own new name, or with ` / ` its whole new path. If another collection has it, the two are merged."
    )
  ),
  into: Schema.optional(
    described(
      collectionNumber,
      "The collection that takes in its links and the collections inside. No other field may be given."
    )
  ),
  parent: Schema.optional(
    described(Schema.NullOr(collectionNumber), "The collection to move it into; null for the top.")
  ),
  ...look,
  shareable: Schema.optional(described(Schema.Boolean, "Whether to share it and everything inside it.")),
  order: Schema.optional(
    described(Schema.NonNegativeInt, "Its place among the collections of its parent, counted from 0.")
  )
})
export type CollectionEdit = typeof CollectionEdit.Type

/** The response to a change of something other than links; `undo` is the token that undoes it. */
export const UndoAnswer = Schema.Struct({ undo: Schema.String })
export type UndoAnswer = typeof UndoAnswer.Type

const Search = Schema.Struct({
  ...SavedSearch.omit("token", "createdAt").fields,
  feed: described(
    Schema.String,
    "The address of its Atom feed, which is a secret; without scheme and host if `PUBLIC_URL` is not set."
  )
}).annotations({ identifier: "SavedSearch", description: "A search that the owner has saved." })

export const SearchesAnswer = Schema.Struct({ searches: Schema.Array(Search) })

/** A saved search after a change; `undo` is the token that undoes the change. */
export const SearchAnswer = Schema.Struct({ search: Search, undo: Schema.String })

const searchFields = {
  name: name(MAX_SEARCH_NAME),
  query: text(MAX_SEARCH_TEXT),
  sort: SavedSearch.fields.sort,
  pinned: Schema.Boolean,
  feedText: SavedSearch.fields.feedText,
  order: Schema.Int.pipe(Schema.between(0, MAX_SEARCHES))
}

export const NewSearch = Schema.Struct({
  name: searchFields.name,
  query: searchFields.query,
  sort: Schema.optionalWith(searchFields.sort, { default: () => null }),
  pinned: Schema.optionalWith(searchFields.pinned, { default: () => true }),
  feedText: Schema.optionalWith(searchFields.feedText, { default: () => false }),
  order: Schema.optional(searchFields.order)
})
export type NewSearch = typeof NewSearch.Type

/** What is to change about a saved search. */
export const SearchEdit = Schema.partial(
  Schema.Struct({
    ...searchFields,
    renewFeed: described(
      Schema.Boolean,
      "With `true` its feed gets a new address, and the old one stops working."
    )
  })
).pipe(
  Schema.filter(
    (edit) => Object.values(edit).some((value) => value !== undefined) || "needs a field to change"
  )
)
export type SearchEdit = typeof SearchEdit.Type
