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
import { books } from "./BooksApi.ts"
import { ereaders } from "./EReadersApi.ts"
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
import { jsonPayload, pathNumber } from "./Input.ts"
import { AccessGate, CaptureBody, ExtensionGate, JsonBody, WebhookGate } from "./Middleware.ts"
import { oauth } from "./OAuthApi.ts"
import { pages } from "./PagesApi.ts"
import {
  CaptureHeaders,
  ChangesParameters,
  documented,
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
import { reading } from "./ReadingApi.ts"
import { setUp } from "./SetUpApi.ts"
import { shares } from "./SharesApi.ts"
import { chatSignIn, credentials, newCredentials, sessions, signin } from "./SignInApi.ts"
import { programs, tokens } from "./TokensApi.ts"

/** A chat update: any JSON the platform sends. The bot decides which parts it reads. */
const Update = Schema.Unknown

const webhook = HttpApiGroup.make("webhook")
  .add(
    HttpApiEndpoint.post("receive", "/webhook")
      .setPayload(Update)
      .addSuccess(Schema.Void, { status: 200 })
      .annotateContext(
        documented(
          "Receives an update for the bot",
          "The body is an update of Telegram's Bot API. The service stores it on disk, responds, and then processes it in the background. An update from another chat than the owner's gets the same response and is discarded."
        )
      )
  )
  .addError(BadRequest.schema)
  .addError(RequestTimeout.schema)
  .addError(TooLarge.schema)
  .addError(UnsupportedMediaType.schema)
  .addError(Unavailable.schema)
  .middleware(WebhookGate)
  .annotate(
    OpenApi.Description,
    "Gates 1 and 2: for Telegram, which sends the secret that was registered with it."
  )

export const capture = HttpApiGroup.make("capture")
  .add(
    HttpApiEndpoint.post("link", "/link")
      .setHeaders(CaptureHeaders)
      .setPayload(jsonPayload(Capture))
      .addSuccess(Saved)
      .addSuccess(Accepted, { status: 202 })
      .addError(IdempotencyKeyReused.schema)
      .addError(Unavailable.schema)
      .middleware(CaptureBody)
      .annotateContext(
        documented(
          "Saves a link",
          "The response is the same for a new link and for one that is already saved, but for one that was public and is in the trash, which comes back private: `notice` says so. Nothing that is public of a public link changes. Repeated requests with the same `Idempotency-Key` header count as one capture and get the response of the first; for 14 days, a different request with that key gets 409. If the save takes longer than `CAPTURE_WAIT`, the response is 202 and the save continues. With an `article`, the body may have up to 8 MiB; 429 asks to send it again later."
        )
      )
  )
  .prefix("/capture/api")
  .middlewareEndpoints(ExtensionGate)
  .annotate(OpenApi.Description, "Gate 3: for the browser extension, whose token can only save links.")

const searchPath = Schema.Struct({ id: pathNumber("A saved search's number must be a positive integer.") })

export const dashboard = HttpApiGroup.make("dashboard")
  .add(
    HttpApiEndpoint.get("links", "/api/links")
      .setUrlParams(OwnerListParameters)
      .addSuccess(LinksAnswer)
      .annotateContext(
        documented(
          "Lists or searches links",
          "Without `limit`, returns every matching link. `highlights` gives the positions of the search words in each link."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("linksByIds", "/api/links/some")
      .setUrlParams(LinksByIdsParameters)
      .addSuccess(LinksByNumberAnswer)
      .annotateContext(documented("Returns links by their numbers"))
  )
  .add(
    HttpApiEndpoint.get("keys", "/api/links/keys")
      .setUrlParams(KeysParameters)
      .addSuccess(KeysAnswer)
      .annotateContext(
        documented(
          "Returns the keys of saved pages",
          `In blocks of the links whose numbers lie between two multiples of ${KEYS_BLOCK}. Each block has an \`ETag\`, so that a copy of the list is kept up to date with few bytes.`
        )
      )
  )
  .add(
    HttpApiEndpoint.get("link", "/api/links/:id")
      .setPath(linkPath)
      .addSuccess(LinkAnswer)
      .annotateContext(
        documented("Returns a link with its page's text, its history, and tags that it may lack")
      )
  )
  .add(
    HttpApiEndpoint.post("save", "/api/links")
      .setHeaders(CaptureHeaders)
      .setPayload(jsonPayload(AddedLink))
      .addSuccess(KnownLink)
      .addSuccess(NewLink, { status: 202 })
      .addError(IdempotencyKeyReused.schema)
      .middleware(JsonBody)
      .annotateContext(
        documented(
          "Adds a link",
          "Answers as soon as the link is in the library, with 202 while its page is still to be read. If the address was saved before, `note` and `tags` are added to its link and the response has `existing`. A repeated `Idempotency-Key` counts as one request, as for a capture."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("meta", "/api/meta")
      .addSuccess(
        Schema.Union(MetaAnswer, ProgramMetaAnswer).annotations({
          description: "Programs get no `setup` and no `problems`."
        })
      )
      .annotateContext(documented("Returns the library's counts and how the service is set up"))
  )
  .add(
    HttpApiEndpoint.get("sites", "/api/sites")
      .addSuccess(SitesAnswer)
      .annotateContext(documented("Counts the links of each site"))
  )
  .add(
    HttpApiEndpoint.get("statistics", "/api/statistics")
      .addSuccess(StatisticsAnswer)
      .annotateContext(
        documented(
          "Returns the library in numbers",
          "What was saved when and from where, what is missing, and what the library takes on disk."
        )
      )
  )
  .add(
    HttpApiEndpoint.post("mutate", "/api/mutate")
      .setUrlParams(MutationParameters)
      .setPayload(jsonPayload(Mutation))
      .addSuccess(MutationAnswer)
      .addError(staleUndo)
      .addError(urlTaken)
      .middleware(JsonBody)
      .annotateContext(
        documented(
          "Changes links",
          'Makes one change to one or more links: to all of them or to none. A change of more than 100 links is stored first and then made in pieces; the response comes once all of them are changed. To undo the change, send the `undo` of the response as the `token` of an `undo`. `delete` moves links to the trash, from which `restore` takes them within 30 days; only `"forever": true` cannot be undone. An undo that would overwrite a later change gets 409 `changed_since`, unless it has `"force": true`.'
        )
      )
  )
  .add(
    HttpApiEndpoint.get("searches", "/api/searches")
      .addSuccess(SearchesAnswer)
      .annotateContext(documented("Lists the saved searches with the addresses of their feeds"))
  )
  .add(
    HttpApiEndpoint.post("createSearch", "/api/searches")
      .setPayload(jsonPayload(NewSearch))
      .addSuccess(SearchAnswer, { status: 201 })
      .addError(Conflict.schema)
      .middleware(JsonBody)
      .annotateContext(
        documented(
          "Saves a search",
          "A name that another saved search has, in any case, gets 409, and so does the 201st saved search."
        )
      )
  )
  .add(
    HttpApiEndpoint.patch("editSearch", "/api/searches/:id")
      .setPath(searchPath)
      .setPayload(jsonPayload(SearchEdit))
      .addSuccess(SearchAnswer)
      .addError(Conflict.schema)
      .middleware(JsonBody)
      .annotateContext(
        documented(
          "Changes a saved search",
          "With `renewFeed`, its feed gets a new address and loses the old one."
        )
      )
  )
  .add(
    HttpApiEndpoint.del("removeSearch", "/api/searches/:id")
      .setPath(searchPath)
      .addSuccess(UndoAnswer)
      .annotateContext(documented("Deletes a saved search and its feed"))
  )
  .add(
    HttpApiEndpoint.post("action", "/api/action")
      .setPayload(jsonPayload(Action))
      .addSuccess(JobAnswer, { status: 202 })
      .middleware(JsonBody)
      .annotateContext(
        documented(
          "Starts a job",
          "Only one job of each kind runs at a time: starting a second one returns the running job."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("estimateRecategorize", "/api/action/recategorize")
      .setUrlParams(RecategorizeParameters)
      .addSuccess(RecategorizeAnswer)
      .annotateContext(
        documented("Estimates the job `recategorize`", "Says how much it would do, and starts nothing.")
      )
  )
  .add(
    HttpApiEndpoint.get("jobs", "/api/jobs")
      .addSuccess(JobsAnswer)
      .annotateContext(documented("Lists the running jobs and the most recent ones"))
  )
  .add(
    HttpApiEndpoint.get("job", "/api/jobs/:id")
      .setPath(Schema.Struct({ id: pathNumber("A job's number must be an integer.", /^\d{1,15}$/) }))
      .addSuccess(JobAnswer)
      .annotateContext(documented("Returns a job with its progress and its result"))
  )
  .add(
    HttpApiEndpoint.get("changes", "/api/changes")
      .setUrlParams(ChangesParameters)
      .addSuccess(ChangesAnswer)
      .annotateContext(
        documented(
          "Lists the changes that can be undone",
          "Newest first, at most 100 on a page: the owner's of the last seven days, and those of imports and programs of the last 30. `undo` of `mutate` takes a change's `token`."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("failures", "/api/failures")
      .addSuccess(FailuresAnswer)
      .annotateContext(
        documented(
          "Lists failed messages and captures",
          "Messages and captures that failed repeatedly are kept for 90 days. The response also has the number of incomplete links. The action `retry` retries all of them."
        )
      )
  )
  .add(
    HttpApiEndpoint.post("retryFailure", "/api/failures/:id")
      .setPath(Schema.Struct({ id: Schema.String }))
      .addSuccess(FailuresAnswer)
      .annotateContext(documented("Retries a failed message or capture"))
  )
  .add(
    HttpApiEndpoint.del("forgetFailure", "/api/failures/:id")
      .setPath(Schema.Struct({ id: Schema.String }))
      .addSuccess(FailuresAnswer)
      .annotateContext(documented("Deletes a failed message or capture"))
  )
  .add(
    HttpApiEndpoint.get("events", "/api/events")
      .addSuccess(HttpApiSchema.Text({ contentType: "text/event-stream" }))
      .annotateContext(
        documented(
          "Streams events as they happen",
          "Server-sent events: at the start `revision`, then `link` (saved, changed or deleted) and `job` (its progress, and its result without lists). At most 200 clients can listen at once; any more get 503."
        )
      )
  )
  .add(
    HttpApiEndpoint.put("keepAddress", "/api/links/:id/check")
      .setPath(linkPath)
      .setPayload(jsonPayload(KeptAddress))
      .addSuccess(Schema.Struct({ link: Link }))
      .middleware(JsonBody)
      .annotateContext(
        documented(
          "Keeps the address of a link whose page has moved",
          "The new address is not offered again until the page moves to yet another one. To use it, change the link's `url`."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("image", "/api/links/:id/image")
      .setPath(linkPath)
      .addSuccess(Picture)
      .annotateContext(documented("Returns a link's picture, scaled down"))
  )
  .add(
    HttpApiEndpoint.get("favicon", "/api/links/:id/favicon")
      .setPath(linkPath)
      .addSuccess(Picture)
      .annotateContext(documented("Returns the icon of a link's site"))
  )
  .add(
    HttpApiEndpoint.post("importFile", "/api/import")
      .setUrlParams(ImportParameters)
      .setPayload(HttpApiSchema.Uint8Array())
      .addSuccess(JobAnswer, { status: 202 })
      .addError(TooLarge.schema)
      .annotateContext(
        documented(
          "Imports a file of links",
          "The body is the file, at most 128 MiB. The service detects its format."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("exportLibrary", "/api/export")
      .setUrlParams(ExportParameters)
      .addSuccess(HttpApiSchema.Text({ contentType: "application/octet-stream" }))
      .annotateContext(documented("Exports the library as one file"))
  )
  .add(HttpApiEndpoint.get("page", "/").addSuccess(Html).annotate(OpenApi.Exclude, true))
  .prefix("/dashboard")
  .addError(BadRequest.schema)
  .addError(Forbidden.schema)
  .addError(InsufficientScope.schema)
  .addError(NotFound.schema)
  .addError(Unavailable.schema)
  .middlewareEndpoints(AccessGate)
  .annotate(OpenApi.Description, "Gate 4: for the owner, in any of the ways to sign in.")

const namePath = Schema.Struct({ name: Schema.String })
const collectionPath = Schema.Struct({ id: pathNumber("A collection's number must be a positive integer.") })

/** The owner's API for tags, categories and collections as things of their own. */
export const things = HttpApiGroup.make("things")
  .add(
    HttpApiEndpoint.get("tags", "/api/tags")
      .addSuccess(TagsAnswer)
      .annotateContext(
        documented(
          "Lists the tags",
          "With their other names, and with pairs that may mean the same, by their spelling or by the built-in vectors."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("tag", "/api/tags/:name")
      .setPath(namePath)
      .addSuccess(TagAnswer)
      .annotateContext(documented("Returns a tag, by its name or another name of it"))
  )
  .add(
    HttpApiEndpoint.patch("editTag", "/api/tags/:name")
      .setPath(namePath)
      .setPayload(jsonPayload(NameEdit))
      .addSuccess(EditedTagAnswer)
      .middleware(JsonBody)
      .annotateContext(
        documented(
          "Renames or merges a tag",
          "Changes all of its links; a rename to a tag in use merges the two. The old name stands for the new one from then on, in everything that is saved or imported."
        )
      )
  )
  .add(
    HttpApiEndpoint.del("removeTag", "/api/tags/:name")
      .setPath(namePath)
      .addSuccess(RemovedAnswer)
      .annotateContext(
        documented(
          "Deletes a tag",
          "Its links stay. With another name of a tag, only that name is forgotten."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("categories", "/api/categories")
      .addSuccess(CategoriesAnswer)
      .annotateContext(documented("Lists the categories"))
  )
  .add(
    HttpApiEndpoint.get("category", "/api/categories/:name")
      .setPath(namePath)
      .addSuccess(CategoryAnswer)
      .annotateContext(documented("Returns a category, by its name or another name of it"))
  )
  .add(
    HttpApiEndpoint.patch("editCategory", "/api/categories/:name")
      .setPath(namePath)
      .setPayload(jsonPayload(NameEdit))
      .addSuccess(EditedCategoryAnswer)
      .middleware(JsonBody)
      .annotateContext(documented("Renames or merges a category"))
  )
  .add(
    HttpApiEndpoint.del("removeCategory", "/api/categories/:name")
      .setPath(namePath)
      .addSuccess(RemovedAnswer)
      .annotateContext(documented("Deletes a category", "Its links become `unsorted`."))
  )
  .add(
    HttpApiEndpoint.get("collections", "/api/collections")
      .addSuccess(CollectionsAnswer)
      .annotateContext(
        documented("Lists the collections as a tree", "Each collection comes before those inside it.")
      )
  )
  .add(
    HttpApiEndpoint.post("createCollection", "/api/collections")
      .setPayload(jsonPayload(NewCollection))
      .addSuccess(CreatedCollectionAnswer)
      .middleware(JsonBody)
      .annotateContext(
        documented("Creates a collection", "A `name` with ` / ` also creates the collections around it.")
      )
  )
  .add(
    HttpApiEndpoint.get("collection", "/api/collections/:id")
      .setPath(collectionPath)
      .addSuccess(CollectionAnswer)
      .annotateContext(documented("Returns a collection"))
  )
  .add(
    HttpApiEndpoint.patch("editCollection", "/api/collections/:id")
      .setPath(collectionPath)
      .setPayload(jsonPayload(CollectionEdit))
      .addSuccess(EditedCollectionAnswer)
      .middleware(JsonBody)
      .annotateContext(
        documented(
          "Changes, moves or merges a collection",
          "All of it is one change with one `undo`. When the response to `shareable: false` comes, its links have left the public list."
        )
      )
  )
  .add(
    HttpApiEndpoint.del("removeCollection", "/api/collections/:id")
      .setPath(collectionPath)
      .addSuccess(RemovedAnswer)
      .annotateContext(
        documented(
          "Deletes a collection",
          "Its links stay, without a collection; the collections inside move up. An undo restores it with its number."
        )
      )
  )
  .prefix("/dashboard")
  .addError(BadRequest.schema)
  .addError(Forbidden.schema)
  .addError(InsufficientScope.schema)
  .addError(NotFound.schema)
  .addError(Conflict.schema)
  .addError(Unavailable.schema)
  .middlewareEndpoints(AccessGate)
  .annotate(
    OpenApi.Description,
    "Gate 4, as above: tags, categories and collections. A name in a path is percent-encoded. To undo a change, send its `undo` as the `token` of an `undo`."
  )

/** The public API: the shared links. */
export const list = HttpApiGroup.make("list")
  .add(
    HttpApiEndpoint.get("links", "/list/api/links")
      .setUrlParams(PublicListParameters)
      .addSuccess(PublicLinksAnswer)
      .annotateContext(documented("Lists or searches the shared links"))
  )
  .add(
    HttpApiEndpoint.get("meta", "/list/api/meta")
      .addSuccess(PublicMetaAnswer)
      .annotateContext(documented("Counts the shared links"))
  )
  .add(
    HttpApiEndpoint.get("feed", "/list/feed.xml")
      .setUrlParams(FeedParameters)
      .addSuccess(HttpApiSchema.Text({ contentType: "application/atom+xml" }))
      .annotateContext(documented("Returns the shared links as an Atom feed, newest first"))
  )
  .add(
    HttpApiEndpoint.get("image", "/list/image")
      .setUrlParams(PictureParameters)
      .addSuccess(Picture)
      .annotateContext(documented("Returns the picture of a shared link"))
  )
  .add(
    HttpApiEndpoint.get("favicon", "/list/favicon")
      .setUrlParams(PictureParameters)
      .addSuccess(Picture)
      .annotateContext(documented("Returns the icon of a shared link's site"))
  )
  .add(HttpApiEndpoint.get("page", "/list").addSuccess(Html).annotate(OpenApi.Exclude, true))
  .addError(BadRequest.schema)
  .addError(Forbidden.schema)
  .addError(NotFound.schema)
  .addError(TooManyRequests.schema)
  .addError(Unavailable.schema)
  .annotate(OpenApi.Description, "Open to everyone: the shared links and nothing else.")

export const feeds = HttpApiGroup.make("feeds")
  .add(
    HttpApiEndpoint.get("saved", "/:token")
      .setPath(Schema.Struct({ token: Schema.Redacted(Schema.String) }))
      .addSuccess(HttpApiSchema.Text({ contentType: "application/atom+xml" }))
      .annotateContext(
        documented(
          "Returns the newest links of a saved search as an Atom feed",
          "The address is a secret, because feed readers cannot sign in; `GET /dashboard/api/searches` has it. The feed has the 50 newest links with title, address, summary, category and tags, and never a note."
        )
      )
  )
  .prefix("/feeds")
  .addError(BadRequest.schema)
  .addError(NotFound.schema)
  .addError(TooManyRequests.schema)
  .addError(Unavailable.schema)
  .annotate(OpenApi.Description, "For feed readers: each address is a secret of its own.")

/** The health report with the statuses that are answered alike. */
const healthOf = <const Status extends HealthReport["status"]>(...statuses: ReadonlyArray<Status>) =>
  Schema.Struct({ ...HealthReport.fields, status: Schema.Literal(...statuses) })

export const status = HttpApiGroup.make("status", { topLevel: true })
  .add(
    HttpApiEndpoint.get("healthz", "/healthz")
      .addSuccess(healthOf("ok", "degraded"))
      .addSuccess(healthOf("starting", "failing"), { status: 503 })
      .annotateContext(documented("Reports whether the service is healthy, and which of its parts fail"))
  )
  .add(
    HttpApiEndpoint.get("openapi", "/openapi.json")
      .addSuccess(Schema.Unknown)
      .annotateContext(documented("Returns the OpenAPI 3.1 description of this API"))
  )
  .add(
    HttpApiEndpoint.get("programsOpenapi", "/api/v1/openapi.json")
      .addSuccess(Schema.Unknown)
      .annotateContext(
        documented(
          "Returns the OpenAPI 3.1 description of the API for programs",
          "With the scope that each endpoint needs, and with examples in curl, JavaScript and Python."
        )
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

/**
 * Every endpoint with its gate, from which the documentation is generated. Only the webhook is served by a plain route,
 * because its response must cost little more than the sync to disk.
 */
export class Api extends ServedApi.add(webhook)
  .annotate(OpenApi.Title, "Linkbower")
  .annotate(OpenApi.Description, "A single-user link library.")
  .annotate(OpenApi.License, { name: "MIT" }) {}

/** Generates the OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.0) from the declarations of the endpoints. */
export const openApi = (version: string): OpenApi.OpenAPISpec =>
  OpenApi.fromApi(Api.annotate(OpenApi.Version, version), { additionalPropertiesStrategy: "allow" })
