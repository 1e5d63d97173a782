import { afterAll, test } from "bun:test"
import { KeyObject } from "node:crypto"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { HttpLayerRouter, HttpServer, HttpServerRequest } from "@effect/platform"
import { BunFileSystem } from "@effect/platform-bun"
import { SqlClient } from "@effect/sql"
import { ConfigProvider, Context, Effect, Layer, Logger, ManagedRuntime, Option, Scope, Stream } from "effect"
import { generateKeyPair, type JWTPayload, SignJWT } from "jose"
import * as Application from "../../src/Application.ts"
import type { Link } from "../../src/domain/Link.ts"
import { Images, PictureError } from "../../src/enrich/page/Images.ts"
import { AccessKeys, JwtKeys } from "../../src/gates/AccessKeys.ts"
import * as Routes from "../../src/http/Routes.ts"
import { Embeddings } from "../../src/library/Embeddings.ts"
import { PublicEmbeddings } from "../../src/library/PublicEmbeddings.ts"
import { ChatError } from "../../src/telegram/BotApi.ts"
import { Chat, type ChatMessage, type InlineAnswer } from "../../src/telegram/Chat.ts"
import { Profile } from "../../src/telegram/Profile.ts"
import { fakeEnricher } from "./fakeEnricher.ts"
import { emptyLibrary, LibraryReset, withoutWorld } from "./library.ts"
import { found } from "./links.ts"
import { noOutside } from "./noOutside.ts"
import { noSetUp } from "./noSetUp.ts"

const { privateKey, publicKey } = await generateKeyPair("RS256")
const gatewayKey = KeyObject.from(publicKey)

export const settings = {
  WEBHOOK_SECRET: "0123456789abcdef0123456789abcdef",
  ALLOWED_CHAT_ID: "4242",
  EXTENSION_TOKEN: "a-token-for-the-extension",
  TRUSTED_FORWARDERS: "127.0.0.1",
  ACCESS_AUD: "a".repeat(64),
  ACCESS_TEAM_DOMAIN: "https://team.example",
  CAPTURE_WAIT: "5 seconds"
}

/** A token signed by the access gateway. */
export const accessToken = (claims: JWTPayload = {}) =>
  new SignJWT({ email: "owner@example.com", ...claims })
    .setProtectedHeader({ alg: "RS256", kid: "k1" })
    .setIssuer("https://team.example")
    .setAudience(settings.ACCESS_AUD)
    .setIssuedAt()
    .setExpirationTime("1m")
    .sign(privateKey)

let recent = { token: Promise.resolve(""), signed: 0 }

/** The owner's token, signed twice a minute at most, because a signature costs more than most requests. */
const ownerToken = () => {
  if (Date.now() - recent.signed > 30_000) recent = { token: accessToken(), signed: Date.now() }
  return recent.token
}

/** The fields of a link in the dashboard's API that tests check. */
export type SeenLink = Pick<
  Link,
  | "id"
  | "url"
  | "title"
  | "note"
  | "summary"
  | "tags"
  | "category"
  | "favorite"
  | "shareable"
  | "collection"
  | "state"
>

/** A job in the dashboard's API. */
export interface SeenJob {
  readonly id: number
  readonly action: string
  readonly state: string
  readonly done: number
  readonly total: number
  readonly result: unknown
  readonly error: string | null
  readonly undo?: string
}

/** Takes the title from the URL (`?t=`) and adds a summary; `/slow?ms=N` takes 300 ms or N. */
const offlineEnricher = fakeEnricher(({ hints, url }) =>
  Effect.succeed(
    found(
      { url: url.href, title: url.searchParams.get("t") ?? hints.title ?? url.hostname },
      { summary: { summary: "In short.", tags: ["some-tag"], category: "reading" } }
    )
  ).pipe(Effect.delay(url.pathname === "/slow" ? Number(url.searchParams.get("ms") ?? 300) : 0))
)

const keys = Layer.merge(
  Layer.succeed(AccessKeys, {
    find: (_team, kid) => Effect.succeed(kid === "k1" ? Option.some(gatewayKey) : Option.none())
  }),
  Layer.succeed(JwtKeys, { find: () => Effect.succeedNone })
)

/** Finds no pictures. */
export const noImages = Layer.succeed(Images, {
  find: () => Effect.succeedNone,
  ofArticle: () => Effect.fail(new PictureError({ reason: "no-picture" })),
  mayTake: () => Effect.succeed(true)
})

/** A bot with a name, which registers no commands. */
const profile = Layer.succeed(Profile, {
  username: Effect.succeedSome("my_bot"),
  inlineName: Effect.succeedSome("my_bot"),
  register: () => Effect.void,
  run: () => Effect.never
})

/** How long a reset waits for the services' work to end, in milliseconds. */
const QUIET_TIMEOUT = 2_000

/** Makes every request one from a proxy on this machine, without the program's services, as the server does. */
const throughProxy = HttpLayerRouter.middleware(
  (app) =>
    Effect.mapInputContext(app, (all: Context.Context<HttpLayerRouter.GlobalProvided>) => {
      const request: HttpServerRequest.HttpServerRequest = Object.create(
        Context.get(all, HttpServerRequest.HttpServerRequest),
        { remoteAddress: { value: Option.some("127.0.0.1") } }
      )
      return Context.add(Context.pick(Scope.Scope)(all), HttpServerRequest.HttpServerRequest, request)
    }),
  { global: true }
)

const isBody = (body: unknown): body is string | Uint8Array<ArrayBuffer> | ReadableStream =>
  typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream

/**
 * The whole service without a socket, with an empty library: real routes, gates, stores and pipeline. With a `chatInstead`,
 * nothing of the chat is remembered here.
 */
export const makeApp = (
  overrides: Partial<Record<string, string>> = {},
  images = noImages,
  chatInstead?: Layer.Layer<Chat>
) => {
  // Files of its own: each run removes those that an earlier one left.
  const folder = join(tmpdir(), `linkbower-app-${crypto.randomUUID()}`)
  const sent: Array<ChatMessage> = []
  const uploads = new Map<string, Uint8Array>()
  const files: Array<{ readonly name: string; readonly bytes: Uint8Array }> = []
  const edits: Array<ChatMessage & { readonly messageId: number }> = []
  const acknowledged: Array<string> = []
  const inline: Array<InlineAnswer> = []
  const reactions: Array<{ readonly messageId: number; readonly reaction: string }> = []
  const chat = Layer.succeed(Chat, {
    answerInline: (answer) => Effect.sync(() => void inline.push(answer)),
    send: (message) => Effect.sync(() => ({ messageId: 900_000 + sent.push(message) })),
    sendRich: (message, rich) =>
      Effect.sync(() => ({ messageId: 900_000 + sent.push({ ...message, rich }) })),
    sendFile: (message, { bytes, name }) =>
      Effect.gen(function* () {
        const read = Buffer.concat([...(yield* Effect.orDie(Stream.runCollect(bytes)))])
        files.push({ name, bytes: new Uint8Array(read) })
        return { messageId: 900_000 + sent.push(message) }
      }),
    download: (fileId, most) =>
      Stream.suspend(() => {
        const bytes = uploads.get(fileId)
        return bytes === undefined || bytes.length > most
          ? Stream.fail(
              new ChatError({ reason: "rejected", description: bytes ? "file is too big" : "gone" })
            )
          : Stream.make(bytes)
      }),
    edit: (messageId, message) => Effect.sync(() => void edits.push({ ...message, messageId })),
    acknowledge: (_id, text) => Effect.sync(() => void acknowledged.push(text ?? "")),
    react: (_chat, messageId, reaction) => Effect.sync(() => void reactions.push({ messageId, reaction })),
    typing: () => Effect.void
  })
  const values = Object.entries({ ...settings, DATA_DIR: folder, ...overrides }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const]
  )
  const provider = Layer.setConfigProvider(ConfigProvider.fromMap(new Map(values)))
  const services = Layer.mergeAll(
    Application.application,
    Layer.effectDiscard(Effect.flatMap(Application.Work, ({ begin }) => begin)).pipe(
      Layer.provide(Application.Work.layer),
      Layer.provide(Application.application)
    )
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        offlineEnricher,
        noOutside,
        withoutWorld,
        chatInstead ?? chat,
        profile,
        keys,
        images,
        noSetUp,
        BunFileSystem.layer
      )
    ),
    Layer.provideMerge(emptyLibrary()),
    Layer.provide([Logger.remove(Logger.defaultLogger), provider])
  )
  const runtime = ManagedRuntime.make(services)
  const { dispose, handler } = HttpLayerRouter.toWebHandler(
    Layer.merge(Routes.layer, throughProxy).pipe(
      Layer.provide([services, Logger.remove(Logger.defaultLogger), provider]),
      Layer.provideMerge(HttpServer.layerContext)
    ),
    { disableLogger: true, memoMap: runtime.memoMap, routerConfig: Routes.routerConfig }
  )
  const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    handler(
      new Request(`http://localhost${path}`, {
        method,
        headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
        ...(body === undefined ? {} : { body: isBody(body) ? body : JSON.stringify(body) })
      })
    )
  const unfinished = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return (yield* sql`SELECT id FROM inbox WHERE state = 'waiting' UNION ALL SELECT id FROM outbox`).length
  })
  /** Whether services still have work in hand, or will take some up by themselves; links that tests store stay unread. */
  const inHand = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`SELECT 1 FROM inbox WHERE state = 'waiting' UNION ALL SELECT 1 FROM outbox
      UNION ALL SELECT 1 FROM jobs WHERE state = 'running' UNION ALL SELECT 1 FROM embedding_queue UNION ALL SELECT 1 FROM public_embedding_queue`
    return rows.length > 0
  })
  const owner = async (method: string, path: string, body?: unknown) =>
    request(method, `/dashboard${path}`, body, { "cf-access-jwt-assertion": await ownerToken() })
  /** Waits until every arrival is processed and answered. */
  const settled = async () => {
    while ((await runtime.runPromise(unfinished)) > 0) await Bun.sleep(5)
  }
  return {
    request,
    settled,
    sent,
    /** The files that the bot has sent; `sent` has their captions. */
    files,
    /** The files that the owner has sent, by their numbers. */
    uploads,
    edits,
    acknowledged,
    inline,
    reactions,
    owner,
    /** The owner's links, the oldest first. */
    links: async (): Promise<ReadonlyArray<SeenLink>> =>
      (await (await owner("GET", "/api/links?sort=oldest&limit=1000")).json()).links,
    /** Starts a job. */
    start: async (body: unknown): Promise<SeenJob> => {
      const response = await owner("POST", "/api/action", body)
      if (response.status !== 202) throw new Error(`the job did not start: ${response.status}`)
      return (await response.json()).job
    },
    /** Waits until the job has ended. */
    ended: async ({ id }: Pick<SeenJob, "id">): Promise<SeenJob> => {
      for (;;) {
        const { job } = await (await owner("GET", `/api/jobs/${id}`)).json()
        if (job.state !== "running") return job
        await Bun.sleep(5)
      }
    },
    webhook: (body: unknown) =>
      request("POST", "/webhook", body, { "x-telegram-bot-api-secret-token": settings.WEBHOOK_SECRET }),
    capture: (body: unknown, headers: Record<string, string> = {}) =>
      request("POST", "/capture/api/link", body, {
        authorization: `Bearer ${settings.EXTENSION_TOKEN}`,
        ...headers
      }),
    run: runtime.runPromise,
    /**
     * Makes the app as it was when this was first called: an empty library, and nothing sent. What its services remember,
     * such as how often somebody asked, stays. Returns false if their work does not come to an end.
     */
    reset: async () => {
      const end = Date.now() + QUIET_TIMEOUT
      while (await runtime.runPromise(inHand)) {
        if (Date.now() > end) return false
        // A test may have queued links without a wake, and after a reset their places are not the highest so far.
        await runtime.runPromise(Effect.flatMap(Embeddings, ({ wake }) => wake))
        await runtime.runPromise(Effect.flatMap(PublicEmbeddings, ({ catchUp }) => catchUp))
        await Bun.sleep(5)
      }
      await runtime.runPromise(Effect.flatten(LibraryReset))
      for (const name of existsSync(folder) ? readdirSync(folder) : [])
        rmSync(join(folder, name), { recursive: true, force: true })
      for (const list of [sent, files, edits, acknowledged, inline, reactions]) list.length = 0
      uploads.clear()
      return true
    },
    dispose: async () => {
      await Promise.all([dispose(), runtime.dispose()])
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
export type App = ReturnType<typeof makeApp>

type AppTest = (
  name: string,
  body: (app: App) => Promise<void>,
  settings?: Record<string, string>,
  timeout?: number
) => void

/** A test on its own app, whose library is empty: for what the services remember beside the library. */
export const ownAppTest: AppTest = (name, body, settings = {}, timeout) =>
  test(
    name,
    async () => {
      const app = makeApp(settings)
      await body(app).finally(app.dispose)
    },
    timeout
  )

interface SharedAppsOptions {
  readonly make?: (settings: Record<string, string>) => App
  /** What a new app's library gets, and keeps over resets. */
  readonly fill?: (app: App) => Promise<unknown>
}

/** Apps that are used one after another, one for each choice of settings, and that are reset before each use. */
export const sharedApps = ({ fill = async () => undefined, make = makeApp }: SharedAppsOptions = {}) => {
  const apps = new Map<string, App>()
  return {
    use: async <A>(settings: Record<string, string>, body: (app: App) => Promise<A>): Promise<A> => {
      const key = JSON.stringify(settings)
      const shared = apps.get(key)
      apps.delete(key)
      const isReady = shared !== undefined && (await shared.reset())
      if (!isReady) await shared?.dispose()
      const app = isReady ? shared : make(settings)
      if (!isReady) {
        await fill(app)
        while (!(await app.reset()));
      }
      const result = await body(app).catch(async (error) => {
        await app.dispose()
        throw error
      })
      apps.set(key, app)
      return result
    },
    dispose: () => Promise.all([...apps.values()].map((app) => app.dispose()))
  }
}

/**
 * Tests on an app that they share, one for each choice of settings, and that is reset before each of them: to an empty
 * library, or to what `fill` saves in it.
 */
export const appTests = (fill?: SharedAppsOptions["fill"]): AppTest => {
  const apps = sharedApps(fill === undefined ? {} : { fill })
  afterAll(apps.dispose)
  return (name, body, settings = {}, timeout) => test(name, () => apps.use(settings, body), timeout)
}
