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
 * Lets the installed dashboard start without a network: it keeps the app's own files and a page without data, and nothing
 * the owner has saved. The build names them, all by content hash.
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

/** Returns the service's response, whatever its status; the cached page only if there is no response. */
const navigation = async (request: Request) => {
  const answer = fetch(request)
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, TIMEOUT))
  const soon = await Promise.race([answer.catch(() => undefined), late])
  return soon ?? (await cached(page)) ?? answer
}

self.addEventListener("install", (event) => event.waitUntil(install()))
self.addEventListener("activate", (event) => event.waitUntil(activate()))
self.addEventListener("fetch", (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== "GET" || origin !== self.location.origin) return
  if (isBelow(pathname, "/app")) return event.respondWith(asset(request))
  const isApi = isBelow(pathname, "/dashboard/api")
  if (request.mode === "navigate" && isBelow(pathname, "/dashboard") && !isApi)
    event.respondWith(navigation(request))
})
