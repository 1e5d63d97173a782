import { asking, bodyOf, type Fetch, isRedirect } from "./request.ts"
import { fieldsOf, isPage, type Settings } from "./settings.ts"

/** The part of a link of the library that the extension shows and changes. */
export interface LibraryLink {
  readonly id: number
  readonly url: string
  readonly title: string
  readonly note: string
  readonly tags: ReadonlyArray<string>
  /** The path of its collection; empty if it is in none. */
  readonly collection: string
  readonly state: string
  /** When it was saved, as an ISO 8601 time in UTC. */
  readonly createdAt: string
}

/** The keys of a block of saved pages, as the service lists them. */
export interface KeysBlock {
  readonly ids: ReadonlyArray<number>
  readonly keys: ReadonlyArray<string>
  readonly next: number | null
  readonly etag: string
}

/** The names of the library's tags and collections, most used first. */
export interface Names {
  readonly tags: ReadonlyArray<string>
  readonly collections: ReadonlyArray<string>
}

/** What a change came to: the token that undoes it, or the service's own words for what is wrong. */
export type Changed = { readonly undo: string } | { readonly problem: string }

/** What a token may do, or what is wrong; each has a text in `_locales` (`reading_read` and so on). */
export type Reading = "read" | "change" | "token" | "scope" | "unreachable"

const TIMEOUT = 10_000

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const textsOf = (value: unknown) => listOf(value).filter((item) => typeof item === "string")
const numbersOf = (value: unknown) => listOf(value).filter((item) => typeof item === "number")
const textOf = (value: unknown) => (typeof value === "string" ? value : "")

/** Reads a link from an unvalidated value; undefined if it is none, or its address is no web page's. */
export const asLink = (value: unknown): LibraryLink | undefined => {
  const { collection, createdAt, id, note, state, tags, title, url } = fieldsOf(value)
  if (typeof id !== "number" || typeof url !== "string" || !isPage(url)) return undefined
  return {
    id,
    url,
    title: textOf(title) || url,
    note: textOf(note),
    tags: textsOf(tags),
    collection: textOf(fieldsOf(collection)["name"]),
    state: textOf(state),
    createdAt: textOf(createdAt)
  }
}

const namesOf = (value: unknown): ReadonlyArray<string> =>
  listOf(value)
    .map(fieldsOf)
    .toSorted((a, b) => Number(b["count"]) - Number(a["count"]))
    .map(({ name }) => textOf(name))
    .filter((name) => name !== "")

/** A client of the owner's library, with a token of scope `read`. None of its requests fails. */
export const makeLibrary = (
  { address, headers, readToken }: Pick<Settings, "address" | "headers" | "readToken">,
  fetch: Fetch
) => {
  const ask = (path: string, more: Readonly<Record<string, string>> = {}): Promise<Response | null> =>
    fetch(`${address}/api/v1${path}`, asking(readToken, headers, TIMEOUT, more)).catch(() => null)
  const tell = (body: unknown): Promise<Response | null> =>
    fetch(`${address}/api/v1/mutate`, {
      method: "POST",
      ...asking(readToken, headers, TIMEOUT, { "content-type": "application/json" }),
      body: JSON.stringify(body)
    }).catch(() => null)
  /** The fields of a response's JSON; undefined if there is none. */
  const fields = async (response: Response | null) =>
    response?.ok ? fieldsOf(await bodyOf(response)) : undefined
  return {
    /** The links that these words find, best first, and how many there are; undefined if the service cannot say. */
    search: async (
      words: string,
      limit: number
    ): Promise<{ readonly links: ReadonlyArray<LibraryLink>; readonly total: number } | undefined> => {
      const query = new URLSearchParams({ q: words, limit: String(limit), wait: "false" })
      const found = await fields(await ask(`/links?${query}`))
      if (found === undefined) return undefined
      return {
        links: listOf(found["links"]).flatMap((link) => asLink(link) ?? []),
        total: Number(found["total"]) || 0
      }
    },
    link: async (id: number): Promise<LibraryLink | undefined> =>
      asLink((await fields(await ask(`/links/${id}`)))?.["link"]),
    names: async (): Promise<Names | undefined> => {
      const meta = await fields(await ask("/meta"))
      return meta && { tags: namesOf(meta["tags"]), collections: namesOf(meta["collections"]) }
    },
    /** A block of saved pages' keys; `same` if it is the one with this tag, undefined if the service cannot say. */
    keys: async (after: number, etag?: string): Promise<KeysBlock | "same" | undefined> => {
      const response = await ask(
        `/links/keys?after=${after}`,
        etag === undefined ? {} : { "if-none-match": etag }
      )
      if (response?.status === 304) return "same"
      const found = await fields(response)
      if (response === null || found === undefined) return undefined
      const { next } = found
      const [ids, keys] = [numbersOf(found["ids"]), textsOf(found["keys"])]
      if (ids.length !== keys.length) return undefined
      return {
        ids,
        keys,
        next: typeof next === "number" ? next : null,
        etag: response.headers.get("etag") ?? ""
      }
    },
    /** Makes one change, in the form of the service's `mutate`. */
    change: async (change: Readonly<Record<string, unknown>>): Promise<Changed> => {
      const response = await tell(change)
      const { message, undo } = response === null ? {} : fieldsOf(await bodyOf(response))
      return response?.ok ? { undo: textOf(undo) } : { problem: textOf(message) }
    },
    /** Finds out what the token may do; changes nothing. */
    test: async (): Promise<Reading> => {
      const response = await ask("/links?limit=1")
      if (response === null || isRedirect(response) || response.status >= 500) return "unreachable"
      if (response.status === 403) return "scope"
      if ((await fields(response))?.["links"] === undefined) return "token"
      // A change without a link is refused for its scope first, and for its links then.
      return (await tell({ op: "state", ids: [], state: "read" }))?.status === 403 ? "read" : "change"
    }
  }
}
export type Library = ReturnType<typeof makeLibrary>
