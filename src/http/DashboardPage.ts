import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { h } from "preact"
import { publicAddress } from "../config/Addresses.ts"
import { Setting, SIMILARITY_THRESHOLD } from "../config/Configuration.ts"
import { modelChoice, modelLabel } from "../config/ModelChoice.ts"
import { Health } from "../domain/Health.ts"
import { ChatDelivery } from "../library/ChatDelivery.ts"
import { Embeddings } from "../library/Embeddings.ts"
import { Events } from "../library/Events.ts"
import { SearchLinks } from "../library/SearchLinks.ts"
import { isAppPage } from "../shared/AppPages.ts"
import { FacetStore } from "../store/links/CollectionStore.ts"
import { SearchStore } from "../store/links/SearchStore.ts"
import { VERSION } from "../version.ts"
import type { MetaAnswer } from "./api/Bodies.ts"
import { pageJson } from "./LinkJsonPage.ts"
import { listQuery, searchParams } from "./ListQuery.ts"
import { OPEN_SEARCH } from "./OpenSearch.ts"
import { pathOf } from "./RouteGroups.ts"
import { renderAppPage } from "./Shell.tsx"

const isSet = <A>({ config }: Setting<Option.Option<A>>) =>
  Effect.map(Effect.option(config), (value) => Option.isSome(Option.flatten(value)))

/** Which ways of adding links are set up; an unreadable value counts as unset. */
const setup = Effect.all({
  bot: isSet(Setting.telegramBotToken),
  webhook: isSet(Setting.webhookSecret),
  chat: isSet(Setting.allowedChatId),
  extension: isSet(Setting.extensionToken),
  publicUrl: Effect.map(publicAddress, Option.getOrNull)
})

export const makeMeta = Effect.gen(function* () {
  const delivery = yield* ChatDelivery
  const health = yield* Health
  const { facets } = yield* FacetStore
  const embeddings = yield* Embeddings
  const searches = yield* SearchStore
  const answer = Effect.gen(function* () {
    const inUse = yield* embeddings.inUse
    const choice = yield* Effect.orElseSucceed(modelChoice, Option.none)
    const meta: MetaAnswer = {
      ...(yield* facets),
      searches: (yield* searches.all)
        .filter(({ pinned }) => pinned)
        .map(({ id, name, query, sort }) => ({ id, name, query, sort })),
      model: { id: modelLabel(choice), configured: Option.isSome(choice) },
      embedder: Option.match(inUse, {
        onNone: () => ({ name: embeddings.name, dimensions: 0 }),
        onSome: ({ dimensions, name }) => ({ name, dimensions })
      }),
      threshold: Option.match(inUse, {
        onNone: () => SIMILARITY_THRESHOLD,
        onSome: ({ threshold }) => threshold
      }),
      setup: { ...(yield* setup), polling: (yield* delivery.way) === "polling" },
      problems: [...(yield* health.notices)].map(([name, text]) => ({ name, text })),
      version: VERSION
    }
    return meta
  }).pipe(Effect.withSpan("Meta.answer"))
  return { answer }
})

/** Number of links embedded in the page. */
const FIRST = "48"

/**
 * Serves the app with the counts and the links for its address embedded, so that they appear with the first paint. For
 * an invalid address it embeds no links, and the app reports the error; the status of an address without a page is 404.
 */
export const makeDashboardPage = Effect.gen(function* () {
  const events = yield* Events
  const list = yield* SearchLinks
  const meta = yield* makeMeta
  const respond = Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    // Before the links are read: a change after it makes the page reload once it listens.
    const revision = events.revision()
    const params = yield* searchParams
    const page = yield* isLibrary(url)
      ? Effect.orElseSucceed(
          Effect.flatMap(listQuery({ ...params, limit: FIRST, cursor: undefined }), (query) =>
            pageJson(list, query, params, false)
          ),
          () => "null"
        )
      : Effect.succeed("null")
    const data: unknown = { meta: yield* meta.answer, page: JSON.parse(page), revision }
    const html = renderAppPage({
      app: "dashboard",
      title: "Linkbower",
      description: "Your link library.",
      head: h("link", {
        rel: "search",
        type: "application/opensearchdescription+xml",
        title: "Linkbower",
        href: OPEN_SEARCH
      }),
      data
    })
    return HttpServerResponse.setStatus(HttpServerResponse.html(html), isAppPage(pathOf(url)) ? 200 : 404)
  }).pipe(Effect.withSpan("DashboardPage.respond"))
  return { respond }
})

/** Whether the address is the library's, not that of another page of the app. */
const isLibrary = (url: string) => /^\/dashboard\/?(\?|$)/.test(url)
