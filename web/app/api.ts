import type { Schema } from "effect"
import type { AddedLink, KnownLink, NewLink } from "../../src/domain/Capture.ts"
import type {
  HighlightEdit as HighlightEditSchema,
  Highlight as HighlightSchema,
  NewHighlight as NewHighlightSchema
} from "../../src/domain/Highlight.ts"
import type {
  DuplicateGroup as DuplicateGroupSchema,
  ImportResult as ImportResultSchema,
  Move as MoveSchema
} from "../../src/domain/Job.ts"
import type { Link as LinkSchema, PublicLink as PublicLinkSchema } from "../../src/domain/Link.ts"
import type { Highlights as HighlightsSchema } from "../../src/domain/LinkQuery.ts"
import type { ReportedPosition } from "../../src/domain/ReadingPosition.ts"
import type { PageShare as PageShareSchema } from "../../src/domain/SharedPage.ts"
import type * as BackupBodies from "../../src/http/api/BackupsApi.ts"
import type * as Bodies from "../../src/http/api/Bodies.ts"
import type * as HighlightBodies from "../../src/http/api/HighlightsApi.ts"
import type * as PageBodies from "../../src/http/api/PagesApi.ts"
import type * as SetUp from "../../src/http/api/SetUpApi.ts"
import type * as SignIn from "../../src/http/api/SignInApi.ts"
import type * as Tokens from "../../src/http/api/TokensApi.ts"
import { UNSORTED } from "../../src/shared/Category.ts"
import type { CreatedPasskey, PasskeyCreation } from "./passkeys.ts"
import { fetchAnswer, firstApi, request, send, tell, withJson } from "./service.ts"

export { ApiError } from "./service.ts"

/** The JSON form of a schema. Only types are imported: a changed field breaks this build, and no code of the service is bundled. */
type Json<S extends Schema.Schema.All> = Schema.Schema.Encoded<S>

export type Link = Json<typeof LinkSchema>
export type PublicLink = Json<typeof PublicLinkSchema>
export type Highlights = Json<typeof HighlightsSchema>
export type LinksPage = Json<typeof Bodies.LinksAnswer>
export type PublicLinksPage = Json<typeof Bodies.PublicLinksAnswer>
export type PublicMeta = Json<typeof Bodies.PublicMetaAnswer>
export type Meta = Json<typeof Bodies.MetaAnswer>
export type SetUpState = Json<typeof SetUp.SetUpAnswer>
export type TestedPart = SetUp.TestedPart
export type TestAnswer = Json<typeof SetUp.TestAnswer>
export type Backups = Json<typeof BackupBodies.BackupsAnswer>
export type Token = Json<typeof Tokens.TokensAnswer>["tokens"][number]
export type Scope = Token["scopes"][number]
export type Job = Json<typeof Bodies.JobAnswer>["job"]
export type ImportResult = Json<typeof ImportResultSchema>
/** A link that an organize job files, or would file. */
export type Move = Json<typeof MoveSchema>
/** Links to the same or nearly the same page. */
export type DuplicateGroup = Json<typeof DuplicateGroupSchema>
export type PageShare = Json<typeof PageShareSchema>
type PositionAnswer = Json<typeof PageBodies.PositionAnswer>
export type Statistics = Json<typeof Bodies.StatisticsAnswer>
export type RecategorizeEstimate = Json<typeof Bodies.RecategorizeAnswer>
export type Failures = Json<typeof Bodies.FailuresAnswer>
export type Action = Json<typeof Bodies.Action>
export type Mutation = Json<typeof Bodies.Mutation>
export type Changed = Json<typeof Bodies.MutationAnswer>

/** A link that was added; `existing` is there if its address had been saved before. */
export type Added = Json<typeof KnownLink> | Json<typeof NewLink>
/** A link with what the service knows about it beside what lists show. */
export type WholeLink = Json<typeof Bodies.LinkAnswer>
export type Collection = Meta["collections"][number]
export type NewCollection = Json<typeof Bodies.NewCollection>
export type CollectionChange = Json<typeof Bodies.CollectionEdit>
type TagsAnswer = Json<typeof Bodies.TagsAnswer>
/** A tag or a category with its use. */
export type Label = TagsAnswer["tags"][number]
/** Names that may mean the same. */
export type Twins = TagsAnswer["twins"][number]
export interface Labels extends Pick<TagsAnswer, "aliases" | "twins"> {
  readonly labels: ReadonlyArray<Label>
}
export type SavedSearch = Json<typeof Bodies.SearchesAnswer>["searches"][number]
export type NewSearch = Json<typeof Bodies.NewSearch>
export type SearchChange = Json<typeof Bodies.SearchEdit>
/** A passage that the owner has highlighted. */
export type Highlight = Json<typeof HighlightSchema>
export type NewHighlight = Json<typeof NewHighlightSchema>
export type HighlightChange = Json<typeof HighlightEditSchema>
/** A page of the list of all highlights. */
export type HighlightList = Json<typeof HighlightBodies.HighlightsAnswer>
export type ListedHighlight = HighlightList["highlights"][number]
type ChangedHighlight = Json<typeof HighlightBodies.HighlightAnswer>
/** A browser in which the owner is signed in. */
export type Session = Json<typeof SignIn.SessionsAnswer>["sessions"][number]
export type Passkey = Json<typeof SignIn.PasskeysAnswer>["passkeys"][number]
/** How e-readers read the kept pages. */
export type EReaderAddresses = NonNullable<Json<typeof PageBodies.EReadersAnswer>["ereaders"]>
export type SignInWays = Json<typeof SignIn.WaysAnswer>
type Removed = Json<typeof Bodies.RemovedAnswer>
type LabelPath = "tags" | "categories"

export const api = {
  ...firstApi,
  /** The existing ones of at most `MAX_IDS` links. */
  linksByIds: (ids: ReadonlyArray<number>) =>
    request<Json<typeof Bodies.LinksByNumberAnswer>>(`/dashboard/api/links/some?ids=${ids.join(",")}`),
  act: (action: Action) => send<{ readonly job: Job }>("/dashboard/api/action", action),
  sites: () => request<Json<typeof Bodies.SitesAnswer>>("/dashboard/api/sites"),
  /** Makes a change; with `none`, the response leaves out the changed links. */
  mutate: (mutation: Mutation, links: "all" | "none" = "all") =>
    send<Changed>(`/dashboard/api/mutate${links === "none" ? "?links=none" : ""}`, mutation),
  labels: async (path: LabelPath): Promise<Labels> => {
    if (path === "tags") {
      const { tags: labels, ...rest } = await request<TagsAnswer>("/dashboard/api/tags")
      return { labels, ...rest }
    }
    const { categories, ...rest } =
      await request<Json<typeof Bodies.CategoriesAnswer>>("/dashboard/api/categories")
    return { labels: categories.filter(({ name }) => name !== UNSORTED), ...rest }
  },
  /** Renames a label, or merges it into another one. */
  changeLabel: (path: LabelPath, name: string, change: Json<typeof Bodies.NameEdit>) =>
    send<Removed>(`/dashboard/api/${path}/${encodeURIComponent(name)}`, change, "PATCH"),
  removeLabel: (path: LabelPath, name: string) =>
    request<Removed>(`/dashboard/api/${path}/${encodeURIComponent(name)}`, { method: "DELETE" }),
  createCollection: (collection: NewCollection) =>
    send<Json<typeof Bodies.CreatedCollectionAnswer>>("/dashboard/api/collections", collection),
  changeCollection: (id: number, change: CollectionChange) =>
    send<Json<typeof Bodies.EditedCollectionAnswer>>(`/dashboard/api/collections/${id}`, change, "PATCH"),
  removeCollection: (id: number) =>
    request<Removed>(`/dashboard/api/collections/${id}`, { method: "DELETE" }),
  ereaders: async () =>
    (await request<Json<typeof PageBodies.EReadersAnswer>>("/dashboard/api/ereaders")).ereaders,
  /** Makes a new secret for e-readers. */
  renewEReaders: () => send<Json<typeof PageBodies.EReadersAnswer>>("/dashboard/api/ereaders", {}),
  revokeEReaders: () => tell("/dashboard/api/ereaders", { method: "DELETE" }),
  tokens: async () => (await request<Json<typeof Tokens.TokensAnswer>>("/dashboard/api/tokens")).tokens,
  addToken: (token: Json<typeof Tokens.NewToken>) =>
    send<Json<typeof Tokens.NewTokenAnswer>>("/dashboard/api/tokens", token),
  revokeToken: (id: number) => tell(`/dashboard/api/tokens/${id}`, { method: "DELETE" }),
  /** Undoes all that a program has changed; with `dryRun`, only says what that would be. */
  undoToken: (id: number, dryRun: boolean) =>
    send<{ readonly job: Job }>(`/dashboard/api/tokens/${id}/undo`, { dryRun }),
  setUp: () => request<SetUpState>("/dashboard/api/setup"),
  /** Writes what connects a part of the service, once that has been tried. */
  connect: <A>(part: "bot" | "extension" | "model", values: object) =>
    send<A>(`/dashboard/api/setup/${part}`, values),
  /** Asks a part of the service whether it works. */
  test: (part: TestedPart) => send<TestAnswer>("/dashboard/api/setup/test", { part }),
  backups: () => request<Backups>("/dashboard/api/backups"),
  makeBackup: () => request<Backups>("/dashboard/api/backups", { method: "POST" }),
  setBackups: (settings: { readonly every?: string; readonly keep?: number }) =>
    send<Backups>("/dashboard/api/backups", settings, "PATCH"),
  searches: () => request<Json<typeof Bodies.SearchesAnswer>>("/dashboard/api/searches"),
  saveSearch: (search: NewSearch) =>
    send<Json<typeof Bodies.SearchAnswer>>("/dashboard/api/searches", search),
  changeSearch: (id: number, change: SearchChange) =>
    send<Json<typeof Bodies.SearchAnswer>>(`/dashboard/api/searches/${id}`, change, "PATCH"),
  removeSearch: (id: number) =>
    request<Json<typeof Bodies.UndoAnswer>>(`/dashboard/api/searches/${id}`, { method: "DELETE" }),
  highlights: (params: URLSearchParams, signal: AbortSignal) =>
    request<HighlightList>(`/dashboard/api/highlights?${params}`, { signal }),
  highlightsOf: async (link: number) =>
    (
      await request<{ readonly highlights: ReadonlyArray<Highlight> }>(
        `/dashboard/api/links/${link}/highlights`
      )
    ).highlights,
  addHighlight: (link: number, highlight: NewHighlight) =>
    send<ChangedHighlight>(`/dashboard/api/links/${link}/highlights`, highlight),
  changeHighlight: ({ id, linkId }: Pick<Highlight, "id" | "linkId">, change: HighlightChange) =>
    send<ChangedHighlight>(`/dashboard/api/links/${linkId}/highlights/${id}`, change, "PATCH"),
  removeHighlight: ({ id, linkId }: Pick<Highlight, "id" | "linkId">) =>
    request<Json<typeof Bodies.UndoAnswer>>(`/dashboard/api/links/${linkId}/highlights/${id}`, {
      method: "DELETE"
    }),
  keepAddress: (id: number) =>
    send<{ readonly link: Link }>(`/dashboard/api/links/${id}/check`, { keepAddress: true }, "PUT"),
  estimateRecategorize: (all: boolean, otherModel: boolean, signal: AbortSignal) =>
    request<RecategorizeEstimate>(
      `/dashboard/api/action/recategorize?${new URLSearchParams({ all: String(all), otherModel: String(otherModel) })}`,
      { signal }
    ),
  statistics: () => request<Statistics>("/dashboard/api/statistics"),
  /** Deletes the kept copies of all pages. */
  forgetPages: () => request<{ readonly forgotten: number }>("/dashboard/api/pages", { method: "DELETE" }),
  job: (id: number) => request<{ readonly job: Job }>(`/dashboard/api/jobs/${id}`),
  failures: () => request<Failures>("/dashboard/api/failures"),
  retryArrival: (id: number) => request<Failures>(`/dashboard/api/failures/${id}`, { method: "POST" }),
  forgetArrival: (id: number) => request<Failures>(`/dashboard/api/failures/${id}`, { method: "DELETE" }),
  add: (link: Json<typeof AddedLink>) => send<Added>("/dashboard/api/links", link),
  wholeLink: (id: number, signal?: AbortSignal) =>
    request<WholeLink>(`/dashboard/api/links/${id}`, signal === undefined ? {} : { signal }),
  /** The kept page as a Markdown file. */
  pageMarkdown: async (id: number) => (await fetchAnswer(`/dashboard/api/links/${id}/page.md`)).text(),
  /** Shares a kept page under a new secret address, until then if it expires. */
  sharePage: (id: number, expiresAt: string | null) =>
    send<{ readonly url: string }>(`/dashboard/api/links/${id}/share`, { with: "text", expiresAt }),
  shares: () => request<{ readonly shares: ReadonlyArray<PageShare> }>("/dashboard/api/shares"),
  endShare: (id: number) => tell(`/dashboard/api/shares/${id}`, { method: "DELETE" }),
  pageVersions: (id: number) =>
    request<Json<typeof PageBodies.PageVersionsAnswer>>(`/dashboard/api/links/${id}/page/versions`),
  position: (id: number) => request<PositionAnswer>(`/dashboard/api/links/${id}/position`),
  /** Reports how far an article has been read; with `isLast`, the request outlives the page. */
  reportPosition: (id: number, position: Json<typeof ReportedPosition>, isLast: boolean) =>
    request<PositionAnswer>(`/dashboard/api/links/${id}/position`, {
      ...withJson(position, "PUT"),
      keepalive: isLast
    }),
  ways: () => request<SignInWays>("/signin/api/ways"),
  sessions: async () =>
    (await request<Json<typeof SignIn.SessionsAnswer>>("/dashboard/api/sessions")).sessions,
  endSession: (id: number) => tell(`/dashboard/api/sessions/${id}`, { method: "DELETE" }),
  endOtherSessions: () => tell("/dashboard/api/sessions", { method: "DELETE" }),
  signOut: () => tell("/signin/api/session", { method: "DELETE" }),
  /** Sets the password; `current` is the one to replace. */
  setPassword: (password: string, current: string | undefined) =>
    tell(
      "/signin/api/password",
      withJson({ password, ...(current === undefined ? {} : { current }) }, "PUT")
    ),
  removePassword: () => tell("/signin/api/password", { method: "DELETE" }),
  passkeys: async () => (await request<Json<typeof SignIn.PasskeysAnswer>>("/signin/api/passkeys")).passkeys,
  beginPasskey: () => send<PasskeyCreation>("/signin/api/passkeys/options", {}),
  addPasskey: (response: CreatedPasskey) =>
    send<Pick<Passkey, "id" | "name">>("/signin/api/passkeys", { response }),
  renamePasskey: (id: number, name: string) =>
    tell(`/signin/api/passkeys/${id}`, withJson({ name }, "PATCH")),
  removePasskey: (id: number) => tell(`/signin/api/passkeys/${id}`, { method: "DELETE" })
}
