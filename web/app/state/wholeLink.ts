import { signal } from "@preact/signals"
import { ApiError, api, type WholeLink } from "../api.ts"
import { peekLink, storeLinks } from "./entities.ts"

/** What is known about one link beside the link itself; absent until loaded. */
export interface Known {
  readonly id: number
  /** `none` if there is no such link, `failed` if the service could not say. */
  readonly state: "loading" | "there" | "none" | "failed"
  readonly whole?: WholeLink
  /** Links with a similar meaning. */
  readonly similar?: ReadonlyArray<number>
}

/** How long a link must be shown before the rest is requested, so that moving through a list costs nothing. */
const PAUSE = 120
/** How many links are remembered. */
const MAX_KNOWN = 30
/** How many similar links are shown. */
const SIMILAR = 6

const remembered = new Map<number, Known>()

/** The link whose details are shown. */
export const known = signal<Known | null>(null)

let request = new AbortController()

const remember = (one: Known) => {
  remembered.delete(one.id)
  remembered.set(one.id, one)
  for (const oldest of [...remembered.keys()].slice(0, -MAX_KNOWN)) remembered.delete(oldest)
  if (known.peek()?.id === one.id) known.value = one
}

const similarTo = async (id: number, signal: AbortSignal): Promise<ReadonlyArray<number>> => {
  const { links } = await api.links(
    new URLSearchParams({ like: String(id), limit: String(SIMILAR + 1) }),
    signal
  )
  storeLinks(links, { ifNewer: true })
  return links
    .map((link) => link.id)
    .filter((other) => other !== id)
    .slice(0, SIMILAR)
}

const load = async (id: number, signal: AbortSignal): Promise<void> => {
  const link = peekLink(id)
  // Nothing more is known about a link in the trash.
  if (link?.deletedAt !== undefined) return remember({ id, state: "there" })
  // Without an answer to one of them, the other is still shown.
  const [whole, similar] = await Promise.allSettled([api.wholeLink(id, signal), similarTo(id, signal)])
  if (signal.aborted) return
  if (whole.status === "fulfilled") storeLinks([whole.value.link], { ifNewer: true })
  const isMissing =
    whole.status === "rejected" && whole.reason instanceof ApiError && whole.reason.status === 404
  remember({
    ...remembered.get(id),
    id,
    state: peekLink(id) !== undefined ? "there" : isMissing ? "none" : "failed",
    ...(whole.status === "fulfilled" ? { whole: whole.value } : {}),
    ...(similar.status === "fulfilled" ? { similar: similar.value } : {})
  })
}

/** Shows what is known about a link, and loads the rest; again when the link has changed. */
export const showWhole = (id: number): (() => void) => {
  request.abort()
  request = new AbortController()
  const { signal } = request
  const before = remembered.get(id)
  known.value = before ?? { id, state: peekLink(id) === undefined ? "loading" : "there" }
  const timer = setTimeout(() => void load(id, signal), peekLink(id) === undefined ? 0 : PAUSE)
  return () => {
    clearTimeout(timer)
    request.abort()
  }
}
