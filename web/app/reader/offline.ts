import { signal } from "@preact/signals"
import { ARTICLES, articleOf, documentPath, pagePath } from "./articleCache.ts"

/** An article that this browser keeps. */
export interface OfflineArticle {
  readonly id: number
  readonly title: string
  readonly host: string
  /** Size of its page, document and pictures, in bytes. */
  readonly bytes: number
  /** When it was last opened here, as an ISO 8601 time in UTC. */
  readonly openedAt: string
}

/** What is needed to keep an article. */
export interface OpenedArticle {
  readonly id: number
  readonly title: string
  readonly host: string
  /** When the service kept the page, as an ISO 8601 time in UTC: another page has another time. */
  readonly savedAt: string
  /** The service's answer with the page, as JSON. */
  readonly json: string
  /** The addresses of its pictures; those of other origins are left out. */
  readonly pictures: ReadonlyArray<string>
}

/** The most articles that are kept. */
const MAX_ARTICLES = 50
/** The most bytes of all kept articles, and of one of them. */
const MAX_BYTES = 50_000_000
const MAX_ARTICLE_BYTES = 10_000_000

/** What the kept JSON says about its article, beside its body, so that a list needs not read the bodies. */
const HEADERS = {
  title: "linkbower-title",
  host: "linkbower-host",
  bytes: "linkbower-bytes",
  openedAt: "linkbower-opened",
  savedAt: "linkbower-saved"
}
type Said = Readonly<Record<keyof typeof HEADERS, string>>

const headersOf = (said: Said): Record<string, string> => ({
  "content-type": "application/json",
  [HEADERS.title]: encodeURIComponent(said.title.toWellFormed()),
  [HEADERS.host]: encodeURIComponent(said.host),
  [HEADERS.bytes]: said.bytes,
  [HEADERS.openedAt]: said.openedAt,
  [HEADERS.savedAt]: said.savedAt
})

const saidBy = ({ headers }: Response): Said => {
  const read = (header: string) => headers.get(header) ?? ""
  return {
    title: decodeURIComponent(read(HEADERS.title)),
    host: decodeURIComponent(read(HEADERS.host)),
    bytes: read(HEADERS.bytes),
    openedAt: read(HEADERS.openedAt),
    savedAt: read(HEADERS.savedAt)
  }
}

/** Finds what is kept at a path; the page's own requests have other headers than these. */
const matchIn = (cache: Cache, path: string) => cache.match(path, { ignoreVary: true })

/** The kept articles, the one opened last first; null until they have been looked up. */
export const offlineArticles = signal<ReadonlyArray<OfflineArticle> | null>(null)

const isAvailable = () => isSecureContext && "caches" in window

const pathOf = ({ url }: Request) => new URL(url).pathname

const readArticle = async (cache: Cache, id: number): Promise<OfflineArticle | undefined> => {
  const kept = await matchIn(cache, pagePath(id))
  if (kept === undefined) return undefined
  const { bytes, host, openedAt, title } = saidBy(kept)
  return { id, title, host, bytes: Number(bytes) || 0, openedAt }
}

/** Returns the kept articles, the one opened last first; reads no bodies. */
export const listOffline = async (): Promise<ReadonlyArray<OfflineArticle>> => {
  if (!isAvailable() || !(await caches.has(ARTICLES))) return []
  const cache = await caches.open(ARTICLES)
  const ids = new Set((await cache.keys()).flatMap((request) => articleOf(pathOf(request)) ?? []))
  const found = await Promise.all([...ids].map((id) => readArticle(cache, id)))
  return found.filter((one) => one !== undefined).sort((a, b) => b.openedAt.localeCompare(a.openedAt))
}

/** Looks up the kept articles again. */
export const refreshOffline = async (): Promise<void> => {
  offlineArticles.value = await listOffline().catch(() => [])
}

const removeFrom = async (cache: Cache, isGone: (id: number | undefined) => boolean) => {
  for (const request of await cache.keys())
    if (isGone(articleOf(pathOf(request)))) await cache.delete(request)
}

/** Removes these articles from this browser. */
export const dropOffline = async (ids: ReadonlySet<number>): Promise<void> => {
  if (!isAvailable() || !(await caches.has(ARTICLES))) return
  await removeFrom(await caches.open(ARTICLES), (id) => id === undefined || ids.has(id))
  await refreshOffline()
}

/** Removes every article from this browser. */
export const forgetOffline = async (): Promise<void> => {
  if (isAvailable()) await caches.delete(ARTICLES)
  offlineArticles.value = []
}

/** The articles to remove so that the others keep the limits, given all of them, the one opened last first. */
export const surplusOf = (
  all: ReadonlyArray<Pick<OfflineArticle, "id" | "bytes">>,
  { most = MAX_ARTICLES, bytes: mostBytes = MAX_BYTES } = {}
): ReadonlySet<number> => {
  const gone = new Set<number>()
  let kept = 0
  let bytes = 0
  for (const one of all) {
    // A smaller one that was opened earlier does not stay in place of this one.
    if (gone.size > 0 || kept === most || bytes + one.bytes > mostBytes) gone.add(one.id)
    else {
      kept++
      bytes += one.bytes
    }
  }
  return gone
}

/** Fetches a file into the cache unless it has it; returns its size, or undefined if it cannot be kept. */
const keepFile = async (
  cache: Cache,
  path: string,
  { isCurrent, room }: { readonly isCurrent: boolean; readonly room: number }
): Promise<number | undefined> => {
  const kept = isCurrent ? await matchIn(cache, path) : undefined
  const answer = kept ?? (await fetch(path, { headers: { accept: "text/html, image/*" } }))
  if (!answer.ok) return undefined
  const { size } = await answer.clone().blob()
  if (size > room) return undefined
  if (kept === undefined) await cache.put(path, answer)
  return size
}

/**
 * Keeps an opened article in this browser, with its document and as many of its pictures as its limit allows, and removes
 * those that were opened longest ago. Failures leave it unkept: the article is on the screen all the same.
 */
export const keepOffline = async ({ id, json, pictures, ...article }: OpenedArticle): Promise<void> => {
  if (!isAvailable()) return
  try {
    const cache = await caches.open(ARTICLES)
    const before = await matchIn(cache, pagePath(id))
    const isCurrent = before !== undefined && saidBy(before).savedAt === article.savedAt
    if (before !== undefined && !isCurrent) await removeFrom(cache, (one) => one === id)
    const body = new Blob([json], { type: "application/json" })
    const document = await keepFile(cache, documentPath(id), { isCurrent, room: MAX_ARTICLE_BYTES })
    if (document === undefined) return
    let bytes = body.size + document
    for (const picture of new Set(pictures)) {
      const { origin, pathname } = new URL(picture, location.origin)
      if (origin !== location.origin || articleOf(pathname) !== id) continue
      const size = await keepFile(cache, pathname, { isCurrent, room: MAX_ARTICLE_BYTES - bytes })
      bytes += size ?? 0
    }
    const headers = headersOf({ ...article, bytes: String(bytes), openedAt: new Date().toISOString() })
    await cache.put(pagePath(id), new Response(body, { headers }))
    const surplus = surplusOf(await listOffline())
    if (surplus.size > 0) await dropOffline(surplus)
  } catch {
    // Storage is full or blocked.
  }
  await refreshOffline()
}
