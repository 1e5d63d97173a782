import { ARTICLES, articleOf, COPY, isRefusal } from "./reader/articleCache.ts"

/** The part of a service worker's global scope (W3C Service Workers) used here; the DOM library only declares a window's. */

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

export interface WorkerScope {
  readonly caches: CacheStorage
  readonly clients: { claim(): Promise<void> }
  readonly location: { readonly origin: string }
  skipWaiting(): Promise<void>
  addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void
}

/**
 * Lets the installed dashboard start without a network: it keeps the app's own files and a page without data, and of what
 * the owner has saved nothing but the articles that the reader puts into a cache of their own. The build names the files,
 * all by content hash.
 */
declare const SHELL: {
  readonly version: string
  /** The page to show when the service is unreachable. */
  readonly page: string
  readonly assets: ReadonlyArray<string>
}
declare const self: WorkerScope

const { assets, page, version } = SHELL
const PREFIX = "linkbower-shell-"
const CACHE = PREFIX + version

/** Timeout of a navigation before the cached page is shown, in milliseconds. */
const TIMEOUT = 3_000

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

const install = async () => {
  const cache = await self.caches.open(CACHE)
  // All or nothing: a version is complete before it activates.
  await cache.addAll([page, ...assets])
  await self.skipWaiting()
}

const activate = async () => {
  const names = await self.caches.keys()
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE)
  await Promise.all(old.map((name) => self.caches.delete(name)))
  await self.clients.claim()
}

const cached = async (request: Request | string) => (await self.caches.open(CACHE)).match(request)

/** Names contain a content hash, so a cached file equals the service's. */
const asset = async (request: Request) => (await cached(request)) ?? fetch(request)

/** Asks the service, and removes the kept articles if it says that nobody is signed in. */
const ask = async (request: Request) => {
  const answer = await fetch(request)
  if (isRefusal(answer)) await self.caches.delete(ARTICLES)
  return answer
}

/** Returns the service's response; what `instead` finds only if there is no response, or it comes too late. */
const networkFirst = async (
  answer: Promise<Response>,
  instead: () => Promise<Response | undefined>
): Promise<Response> => {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, TIMEOUT))
  const soon = await Promise.race([answer.catch(() => undefined), late])
  return soon ?? (await instead()) ?? answer
}

/** Statuses with which a proxy answers for a service that does not. */
const isProxys = ({ status }: Response) => status >= 502 && status <= 504

/** Returns what is kept at this address, marked as a copy. */
const keptCopy = async ({ url }: Request) => {
  if (!(await self.caches.has(ARTICLES))) return undefined
  const kept = await (await self.caches.open(ARTICLES)).match(url, { ignoreVary: true })
  if (kept === undefined) return undefined
  const headers = new Headers(kept.headers)
  headers.set(COPY, "1")
  return new Response(kept.body, { status: kept.status, headers })
}

/** Returns a part of an article: the service's, or the kept one while the service cannot be reached. */
const article = async (request: Request) => {
  const answer = await networkFirst(ask(request), () => keptCopy(request))
  return isProxys(answer) ? ((await keptCopy(request)) ?? answer) : answer
}

self.addEventListener("install", (event) => event.waitUntil(install()))
self.addEventListener("activate", (event) => event.waitUntil(activate()))
self.addEventListener("fetch", (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== "GET" || origin !== self.location.origin) return
  if (isBelow(pathname, "/app")) return event.respondWith(asset(request))
  if (articleOf(pathname) !== undefined) return event.respondWith(article(request))
  const isApi = isBelow(pathname, "/dashboard/api")
  if (request.mode === "navigate" && isBelow(pathname, "/dashboard") && !isApi)
    event.respondWith(networkFirst(ask(request), () => cached(page)))
})
