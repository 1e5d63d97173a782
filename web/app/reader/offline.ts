import { signal } from "@preact/signals"
import {
  ARTICLES,
  articleOf,
  COPY,
  countRemovals,
  documentPath,
  highlightsPath,
  isRefusal,
  linkPath,
  removeArticles
} from "./articleCache.ts"

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
  /** When the link last changed, as an ISO 8601 time in UTC: a new copy of its page changes it. */
  readonly updatedAt: string
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
  updatedAt: "linkbower-updated"
}
type Said = Readonly<Record<keyof typeof HEADERS, string>>

const headersOf = (said: Said): Record<string, string> => ({
  "content-type": "application/json",
  [HEADERS.title]: encodeURIComponent(said.title.toWellFormed()),
  [HEADERS.host]: encodeURIComponent(said.host),
  [HEADERS.bytes]: said.bytes,
  [HEADERS.openedAt]: said.openedAt,
  [HEADERS.updatedAt]: said.updatedAt
})

const saidBy = ({ headers }: Response): Said => {
  const read = (header: string) => headers.get(header) ?? ""
  return {
    title: decodeURIComponent(read(HEADERS.title)),
    host: decodeURIComponent(read(HEADERS.host)),
    bytes: read(HEADERS.bytes),
    openedAt: read(HEADERS.openedAt),
    updatedAt: read(HEADERS.updatedAt)
  }
}

/** Finds what is kept at a path; the page's own requests have other headers than these. */
const matchIn = (cache: Cache, path: string) => cache.match(path, { ignoreVary: true })

/** The kept articles, the one opened last first; null until they have been looked up. */
export const offlineArticles = signal<ReadonlyArray<OfflineArticle> | null>(null)

const isAvailable = () => isSecureContext && "caches" in window

/** Opens the cache if it exists; it does not bring back one that is removed meanwhile. */
const openKept = async (): Promise<Cache | undefined> => {
  const removals = countRemovals()
  if (!isAvailable() || !(await caches.has(ARTICLES))) return undefined
  const cache = await caches.open(ARTICLES)
  if (removals === countRemovals()) return cache
  await caches.delete(ARTICLES)
  return undefined
}

const pathOf = ({ url }: Request) => new URL(url).pathname

const readArticle = async (cache: Cache, id: number): Promise<OfflineArticle | undefined> => {
  const kept = await matchIn(cache, linkPath(id))
  if (kept === undefined) return undefined
  const { bytes, host, openedAt, title } = saidBy(kept)
  return { id, title, host, bytes: Number(bytes) || 0, openedAt }
}

/** Returns the kept articles, the one opened last first; reads no bodies. */
export const listOffline = async (): Promise<ReadonlyArray<OfflineArticle>> => {
  const cache = await openKept()
  if (cache === undefined) return []
  const ids = new Set((await cache.keys()).flatMap((request) => articleOf(pathOf(request)) ?? []))
  const found = await Promise.all([...ids].map((id) => readArticle(cache, id)))
  return found.filter((one) => one !== undefined).sort((a, b) => b.openedAt.localeCompare(a.openedAt))
}

export const refreshOffline = async (): Promise<void> => {
  offlineArticles.value = await listOffline().catch(() => [])
}

const removeFrom = async (cache: Cache, isGone: (id: number | undefined) => boolean) => {
  for (const request of await cache.keys())
    if (isGone(articleOf(pathOf(request)))) await cache.delete(request)
}

export const dropOffline = async (ids: ReadonlySet<number>): Promise<void> => {
  const cache = await openKept()
  if (cache === undefined) return
  await removeFrom(cache, (id) => id === undefined || ids.has(id))
  await refreshOffline()
}

export const forgetOffline = async (): Promise<void> => {
  await removeArticles()
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

/**
 * Requests a file, or takes the one that is kept if it is the `current` one; undefined if it cannot be kept. Fails if
 * nobody is signed in.
 */
const fileAt = async (path: string, current: Cache | undefined) => {
  const kept = current === undefined ? undefined : await matchIn(current, path)
  const answer = kept ?? (await fetch(path))
  if (isRefusal(answer)) throw new Error("nobody is signed in")
  // A copy from this browser is not newer than what it keeps.
  if (!answer.ok || (kept === undefined && answer.headers.has(COPY))) return undefined
  return { answer, isKept: kept !== undefined, size: (await answer.clone().blob()).size }
}

/**
 * Keeps an opened article in this browser, with its document, its highlights and as many of its pictures as its limit
 * allows, and removes those that were opened longest ago. Failures leave it unkept: it is on the screen all the same. If
 * all articles are removed while it is fetched, nothing of it is kept: the cache is opened for writing when everything is
 * there, and at once.
 */
export const keepOffline = async ({ id, pictures, ...article }: OpenedArticle): Promise<void> => {
  if (!isAvailable()) return
  try {
    const removals = countRemovals()
    const earlier = await openKept()
    const before = earlier === undefined ? undefined : await matchIn(earlier, linkPath(id))
    const current =
      before !== undefined && saidBy(before).updatedAt === article.updatedAt ? earlier : undefined
    const fetched = new Map<string, Response>()
    let bytes = 0
    const keep = async (path: string, from: Cache | undefined): Promise<boolean> => {
      const file = await fileAt(path, from)
      if (file === undefined || bytes + file.size > MAX_ARTICLE_BYTES) return false
      bytes += file.size
      if (!file.isKept) fetched.set(path, file.answer)
      return true
    }
    const link = await fileAt(linkPath(id), current)
    if (link === undefined || !(await keep(documentPath(id), current))) return
    // They change without the link.
    await keep(highlightsPath(id), undefined)
    for (const picture of new Set(pictures)) {
      const { origin, pathname } = new URL(picture, location.origin)
      if (origin === location.origin && articleOf(pathname) === id) await keep(pathname, earlier)
    }
    const body = await link.answer.blob()
    if (removals !== countRemovals()) return
    // A cache that is removed from now on takes what is written to it along.
    const cache = await caches.open(ARTICLES)
    for (const [path, answer] of fetched) await cache.put(path, answer)
    // Written last: an article without it is not listed.
    const headers = headersOf({
      ...article,
      bytes: String(bytes + link.size),
      openedAt: new Date().toISOString()
    })
    await cache.put(linkPath(id), new Response(body, { headers }))
    const surplus = surplusOf(await listOffline())
    if (surplus.size > 0) await dropOffline(surplus)
  } catch {
    // Storage is full or blocked.
  }
  await refreshOffline()
}
