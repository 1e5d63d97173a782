import {
  HttpApi,
  HttpApiEndpoint,
  type HttpApiError,
  HttpApiGroup,
  HttpApiSchema,
  OpenApi
} from "@effect/platform"
import { Schema } from "effect"
import { Accepted, AddedLink, Capture, KnownLink, NewLink, Saved } from "../../domain/Capture.ts"
import { HealthReport } from "../../domain/Health.ts"
import { Link } from "../../domain/Link.ts"
import { KEYS_BLOCK } from "../../shared/ListParameters.ts"
import { backups } from "./BackupsApi.ts"
import {
  Action,
  CategoriesAnswer,
  CategoryAnswer,
  ChangesAnswer,
  CollectionAnswer,
  CollectionEdit,
  CollectionsAnswer,
  CreatedCollectionAnswer,
  EditedCategoryAnswer,
  EditedCollectionAnswer,
  EditedTagAnswer,
  FailuresAnswer,
  JobAnswer,
  JobsAnswer,
  KeptAddress,
  KeysAnswer,
  LinkAnswer,
  LinksAnswer,
  LinksByNumberAnswer,
  MetaAnswer,
  Mutation,
  MutationAnswer,
  NameEdit,
  NewCollection,
  NewSearch,
  ProgramMetaAnswer,
  PublicLinksAnswer,
  PublicMetaAnswer,
  RecategorizeAnswer,
  RemovedAnswer,
  SearchAnswer,
  SearchEdit,
  SearchesAnswer,
  SitesAnswer,
  StatisticsAnswer,
  TagAnswer,
  TagsAnswer,
  UndoAnswer
} from "./Bodies.ts"
import { del, get, group, patch, post, put } from "./Endpoint.ts"
import {
  BadRequest,
  Conflict,
  Forbidden,
  IdempotencyKeyReused,
  InsufficientScope,
  NotFound,
  RequestTimeout,
  staleUndo,
  TooLarge,
  TooManyRequests,
  Unavailable,
  UnsupportedMediaType,
  urlTaken
} from "./Failures.ts"
import { highlights } from "./HighlightsApi.ts"
import { described, jsonPayload, pathNumber } from "./Input.ts"
import { AccessGate, CaptureBody, ExtensionGate, WebhookGate } from "./Middleware.ts"
import { oauth } from "./OAuthApi.ts"
import { books, ereaders, pages, reading, shares } from "./PagesApi.ts"
import {
  CaptureHeaders,
  ChangesParameters,
  ExportParameters,
  FeedParameters,
  Html,
  ImportParameters,
  KeysParameters,
  LinksByIdsParameters,
  linkPath,
  MutationParameters,
  OwnerListParameters,
  Picture,
  PictureParameters,
  PublicListParameters,
  RecategorizeParameters
} from "./Parameters.ts"
import { setUp } from "./SetUpApi.ts"
import { chatSignIn, credentials, newCredentials, sessions, signin } from "./SignInApi.ts"
import { programs, tokens } from "./TokensApi.ts"

/** A chat update: any JSON the platform sends. The bot decides which parts it reads. */
const Update = Schema.Unknown

const webhook = group(
  "webhook",
  {
    fails: [BadRequest, RequestTimeout, TooLarge, UnsupportedMediaType, Unavailable],
    says: "Gates 1 and 2: for Telegram, which sends the secret that was registered with it."
  },
  post("receive", "/webhook", "Receives an update for the bot", {
    answer: Schema.Void,
    status: 200,
    more: "The body is an update of Telegram's Bot API. The service stores it on disk, responds, and then processes it in the background. An update from another chat than the owner's gets the same response and is discarded."
  }).setPayload(Update)
).middleware(WebhookGate)

export const capture = group(
  "capture",
  { place: "/capture/api", says: "Gate 3: for the browser extension, whose token can only save links." },
  post("link", "/link", "Saves a link", {
    headers: CaptureHeaders,
    fails: [IdempotencyKeyReused.schema, Unavailable.schema],
    more: "The response is the same for a new link and for one that is already saved, but for one that was public and is in the trash, which comes back private: `notice` says so. Nothing that is public of a public link changes. Repeated requests with the same `Idempotency-Key` header count as one capture and get the response of the first; for 14 days, a different request with that key gets 409. If the save takes longer than `CAPTURE_WAIT`, the response is 202 and the save continues. With an `article`, the body may have up to 8 MiB; 429 asks to send it again later."
  })
    .setPayload(jsonPayload(Capture))
    .addSuccess(Saved)
    .addSuccess(Accepted, { status: 202 })
    .middleware(CaptureBody)
).middlewareEndpoints(ExtensionGate)

const searchPath = Schema.Struct({ id: pathNumber("A saved search's number must be a positive integer.") })

export const dashboard = group(
  "dashboard",
  {
    place: "/dashboard",
    fails: [BadRequest, Forbidden, InsufficientScope, NotFound, Unavailable],
    says: "Gate 4: for the owner, in any of the ways to sign in."
  },
  get("links", "/api/links", "Lists or searches links", {
    query: OwnerListParameters,
    answer: LinksAnswer,
    more: "Without `limit`, returns every matching link. `highlights` gives the positions of the search words in each link."
  }),
  get("linksByIds", "/api/links/some", "Returns links by their numbers", {
    query: LinksByIdsParameters,
    answer: LinksByNumberAnswer
  }),
  get("keys", "/api/links/keys", "Returns the keys of saved pages", {
    query: KeysParameters,
    answer: KeysAnswer,
    more: `In blocks of the links whose numbers lie between two multiples of ${KEYS_BLOCK}. Each block has an \`ETag\`, so that a copy of the list is kept up to date with few bytes.`
  }),
  get(
    "link",
    "/api/links/:id",
    "Returns a link with its page's text, its history, and tags that it may lack",
    { path: linkPath, answer: LinkAnswer }
  ),
  post("save", "/api/links", "Adds a link", {
    headers: CaptureHeaders,
    body: AddedLink,
    fails: [IdempotencyKeyReused.schema],
    more: "Answers as soon as the link is in the library, with 202 while its page is still to be read. If the address was saved before, `note` and `tags` are added to its link and the response has `existing`. A repeated `Idempotency-Key` counts as one request, as for a capture."
  })
    .addSuccess(KnownLink)
    .addSuccess(NewLink, { status: 202 }),
  get("meta", "/api/meta", "Returns the library's counts and how the service is set up", {
    answer: described(
      Schema.Union(MetaAnswer, ProgramMetaAnswer),
      "Programs get no `setup` and no `problems`."
    )
  }),
  get("sites", "/api/sites", "Counts the links of each site", { answer: SitesAnswer }),
  get("statistics", "/api/statistics", "Returns the library in numbers", {
    answer: StatisticsAnswer,
    more: "What was saved when and from where, what is missing, and what the library takes on disk."
  }),
  post("mutate", "/api/mutate", "Changes links", {
    query: MutationParameters,
    body: Mutation,
    answer: MutationAnswer,
    fails: [staleUndo, urlTaken],
    more: 'Makes one change to one or more links: to all of them or to none. A change of more than 100 links is stored first and then made in pieces; the response comes once all of them are changed. To undo the change, send the `undo` of the response as the `token` of an `undo`. `delete` moves links to the trash, from which `restore` takes them within 30 days; only `"forever": true` cannot be undone. An undo that would overwrite a later change gets 409 `changed_since`, unless it has `"force": true`.'
  }),
  get("searches", "/api/searches", "Lists the saved searches with the addresses of their feeds", {
    answer: SearchesAnswer
  }),
  post("createSearch", "/api/searches", "Saves a search", {
    body: NewSearch,
    answer: SearchAnswer,
    status: 201,
    fails: [Conflict.schema],
    more: "A name that another saved search has, in any case, gets 409, and so does the 201st saved search."
  }),
  patch("editSearch", "/api/searches/:id", "Changes a saved search", {
    path: searchPath,
    body: SearchEdit,
    answer: SearchAnswer,
    fails: [Conflict.schema],
    more: "With `renewFeed`, its feed gets a new address and loses the old one."
  }),
  del("removeSearch", "/api/searches/:id", "Deletes a saved search and its feed", {
    path: searchPath,
    answer: UndoAnswer
  }),
  post("action", "/api/action", "Starts a job", {
    body: Action,
    answer: JobAnswer,
    status: 202,
    more: "Only one job of each kind runs at a time: starting a second one returns the running job."
  }),
  get("estimateRecategorize", "/api/action/recategorize", "Estimates the job `recategorize`", {
    query: RecategorizeParameters,
    answer: RecategorizeAnswer,
    more: "Says how much it would do, and starts nothing."
  }),
  get("jobs", "/api/jobs", "Lists the running jobs and the most recent ones", { answer: JobsAnswer }),
  get("job", "/api/jobs/:id", "Returns a job with its progress and its result", {
    path: Schema.Struct({ id: pathNumber("A job's number must be an integer.", /^\d{1,15}$/) }),
    answer: JobAnswer
  }),
  get("changes", "/api/changes", "Lists the changes that can be undone", {
    query: ChangesParameters,
    answer: ChangesAnswer,
    more: "Newest first, at most 100 on a page: the owner's of the last seven days, and those of imports and programs of the last 30. `undo` of `mutate` takes a change's `token`."
  }),
  get("failures", "/api/failures", "Lists failed messages and captures", {
    answer: FailuresAnswer,
    more: "Messages and captures that failed repeatedly are kept for 90 days. The response also has the number of incomplete links. The action `retry` retries all of them."
  }),
  post("retryFailure", "/api/failures/:id", "Retries a failed message or capture", {
    path: Schema.Struct({ id: Schema.String }),
    answer: FailuresAnswer
  }),
  del("forgetFailure", "/api/failures/:id", "Deletes a failed message or capture", {
    path: Schema.Struct({ id: Schema.String }),
    answer: FailuresAnswer
  }),
  get("events", "/api/events", "Streams events as they happen", {
    answer: HttpApiSchema.Text({ contentType: "text/event-stream" }),
    more: "Server-sent events: at the start `revision`, then `link` (saved, changed or deleted) and `job` (its progress, and its result without lists). At most 200 clients can listen at once; any more get 503."
  }),
  put("keepAddress", "/api/links/:id/check", "Keeps the address of a link whose page has moved", {
    path: linkPath,
    body: KeptAddress,
    answer: Schema.Struct({ link: Link }),
    more: "The new address is not offered again until the page moves to yet another one. To use it, change the link's `url`."
  }),
  get("image", "/api/links/:id/image", "Returns a link's picture, scaled down", {
    path: linkPath,
    answer: Picture
  }),
  get("favicon", "/api/links/:id/favicon", "Returns the icon of a link's site", {
    path: linkPath,
    answer: Picture
  }),
  post("importFile", "/api/import", "Imports a file of links", {
    query: ImportParameters,
    answer: JobAnswer,
    status: 202,
    fails: [TooLarge.schema],
    more: "The body is the file, at most 128 MiB. The service detects its format."
  }).setPayload(HttpApiSchema.Uint8Array()),
  get("exportLibrary", "/api/export", "Exports the library as one file", {
    query: ExportParameters,
    answer: HttpApiSchema.Text({ contentType: "application/octet-stream" })
  }),
  HttpApiEndpoint.get("page", "/").addSuccess(Html).annotate(OpenApi.Exclude, true)
).middlewareEndpoints(AccessGate)

const namePath = Schema.Struct({ name: Schema.String })
const collectionPath = Schema.Struct({ id: pathNumber("A collection's number must be a positive integer.") })

export const things = group(
  "things",
  {
    place: "/dashboard",
    fails: [BadRequest, Forbidden, InsufficientScope, NotFound, Conflict, Unavailable],
    says: "Gate 4, as above: tags, categories and collections. A name in a path is percent-encoded. To undo a change, send its `undo` as the `token` of an `undo`."
  },
  get("tags", "/api/tags", "Lists the tags", {
    answer: TagsAnswer,
    more: "With their other names, and with pairs that may mean the same, by their spelling or by the built-in vectors."
  }),
  get("tag", "/api/tags/:name", "Returns a tag, by its name or another name of it", {
    path: namePath,
    answer: TagAnswer
  }),
  patch("editTag", "/api/tags/:name", "Renames or merges a tag", {
    path: namePath,
    body: NameEdit,
    answer: EditedTagAnswer,
    more: "Changes all of its links; a rename to a tag in use merges the two. The old name stands for the new one from then on, in everything that is saved or imported."
  }),
  del("removeTag", "/api/tags/:name", "Deletes a tag", {
    path: namePath,
    answer: RemovedAnswer,
    more: "Its links stay. With another name of a tag, only that name is forgotten."
  }),
  get("categories", "/api/categories", "Lists the categories", { answer: CategoriesAnswer }),
  get("category", "/api/categories/:name", "Returns a category, by its name or another name of it", {
    path: namePath,
    answer: CategoryAnswer
  }),
  patch("editCategory", "/api/categories/:name", "Renames or merges a category", {
    path: namePath,
    body: NameEdit,
    answer: EditedCategoryAnswer
  }),
  del("removeCategory", "/api/categories/:name", "Deletes a category", {
    path: namePath,
    answer: RemovedAnswer,
    more: "Its links become `unsorted`."
  }),
  get("collections", "/api/collections", "Lists the collections as a tree", {
    answer: CollectionsAnswer,
    more: "Each collection comes before those inside it."
  }),
  post("createCollection", "/api/collections", "Creates a collection", {
    body: NewCollection,
    answer: CreatedCollectionAnswer,
    more: "A `name` with ` / ` also creates the collections around it."
  }),
  get("collection", "/api/collections/:id", "Returns a collection", {
    path: collectionPath,
    answer: CollectionAnswer
  }),
  patch("editCollection", "/api/collections/:id", "Changes, moves or merges a collection", {
    path: collectionPath,
    body: CollectionEdit,
    answer: EditedCollectionAnswer,
    more: "All of it is one change with one `undo`. When the response to `shareable: false` comes, its links have left the public list."
  }),
  del("removeCollection", "/api/collections/:id", "Deletes a collection", {
    path: collectionPath,
    answer: RemovedAnswer,
    more: "Its links stay, without a collection; the collections inside move up. An undo restores it with its number."
  })
).middlewareEndpoints(AccessGate)

export const list = group(
  "list",
  {
    fails: [BadRequest, Forbidden, NotFound, TooManyRequests, Unavailable],
    says: "Open to everyone: the shared links and nothing else."
  },
  get("links", "/list/api/links", "Lists or searches the shared links", {
    query: PublicListParameters,
    answer: PublicLinksAnswer
  }),
  get("meta", "/list/api/meta", "Counts the shared links", { answer: PublicMetaAnswer }),
  get("feed", "/list/feed.xml", "Returns the shared links as an Atom feed, newest first", {
    query: FeedParameters,
    answer: HttpApiSchema.Text({ contentType: "application/atom+xml" })
  }),
  get("image", "/list/image", "Returns the picture of a shared link", {
    query: PictureParameters,
    answer: Picture
  }),
  get("favicon", "/list/favicon", "Returns the icon of a shared link's site", {
    query: PictureParameters,
    answer: Picture
  }),
  HttpApiEndpoint.get("page", "/list").addSuccess(Html).annotate(OpenApi.Exclude, true)
)

export const feeds = group(
  "feeds",
  {
    place: "/feeds",
    fails: [BadRequest, NotFound, TooManyRequests, Unavailable],
    says: "For feed readers: each address is a secret of its own."
  },
  get("saved", "/:token", "Returns the newest links of a saved search as an Atom feed", {
    path: Schema.Struct({ token: Schema.Redacted(Schema.String) }),
    answer: HttpApiSchema.Text({ contentType: "application/atom+xml" }),
    more: "The address is a secret, because feed readers cannot sign in; `GET /dashboard/api/searches` has it. The feed has the 50 newest links with title, address, summary, category and tags, and never a note."
  })
)

const healthOf = <const Status extends HealthReport["status"]>(...statuses: ReadonlyArray<Status>) =>
  Schema.Struct({ ...HealthReport.fields, status: Schema.Literal(...statuses) })

export const status = HttpApiGroup.make("status", { topLevel: true })
  .add(
    get("healthz", "/healthz", "Reports whether the service is healthy, and which of its parts fail")
      .addSuccess(healthOf("ok", "degraded"))
      .addSuccess(healthOf("starting", "failing"), { status: 503 })
  )
  .add(
    get("openapi", "/openapi.json", "Returns the OpenAPI 3.1 description of this API", {
      answer: Schema.Unknown
    })
  )
  .add(
    get(
      "programsOpenapi",
      "/api/v1/openapi.json",
      "Returns the OpenAPI 3.1 description of the API for programs",
      {
        answer: Schema.Unknown,
        more: "With the scope that each endpoint needs, and with examples in curl, JavaScript and Python."
      }
    )
  )
  .annotate(OpenApi.Description, "Open to everyone.")

class EmptyApi extends HttpApi.make("linkbower") {
  /** Removes the body that the framework gives its decoding error, which `BadRequest.schema` encodes instead. */
  static override readonly errorSchema = Schema.make<HttpApiError.HttpApiDecodeError, unknown>(
    Schema.Never.ast
  )
}

/** An API of one group, which is served with that group's errors alone. */
export const apiOf = <Group extends HttpApiGroup.HttpApiGroup.Any>(group: Group) => EmptyApi.add(group)

/** The endpoints that the framework serves from their declaration. */
export class ServedApi extends EmptyApi.add(capture)
  .add(dashboard)
  .add(things)
  .add(pages)
  .add(highlights)
  .add(books)
  .add(reading)
  .add(ereaders)
  .add(setUp)
  .add(sessions)
  .add(backups)
  .add(tokens)
  .add(programs)
  .add(signin)
  .add(chatSignIn)
  .add(newCredentials)
  .add(credentials)
  .add(shares)
  .add(oauth)
  .add(list)
  .add(feeds)
  .add(status) {}

/** The documentation's source. Only the webhook has a plain route: its response costs little beyond the sync. */
export class Api extends ServedApi.add(webhook)
  .annotate(OpenApi.Title, "Linkbower")
  .annotate(OpenApi.Description, "A single-user link library.")
  .annotate(OpenApi.License, { name: "MIT" }) {}

/** Generates the OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.0) from the declarations of the endpoints. */
export const openApi = (version: string): OpenApi.OpenAPISpec =>
  OpenApi.fromApi(Api.annotate(OpenApi.Version, version), { additionalPropertiesStrategy: "allow" })
