import { given, type Params } from "./ListParams.ts"

/** What the list is called, and what it says of itself. */
export const LIST_TITLE = "Shared links"
export const LIST_DESCRIPTION = "Links from one person’s library that are worth passing on."

/** What part of the public list an address asks for, as it was written there; what is not asked for is absent. */
export interface ListView {
  readonly q?: string
  readonly category?: string
  readonly tag?: string
  readonly collection?: string
  readonly cursor?: string
}

const names = ["q", "category", "tag", "collection", "cursor"] as const

/** The part an address's parameters name; all others are nobody's business here. */
export const viewOf = (params: Params): ListView =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = given(params, name)
      return value === undefined || value.trim() === "" ? [] : [[name, value.toWellFormed()]]
    })
  )

const withView = (path: string, view: ListView): string => {
  const params = new URLSearchParams(
    names.flatMap((name) => {
      const value = view[name]
      return value === undefined ? [] : [[name, value]]
    })
  ).toString()
  return params === "" ? path : `${path}?${params}`
}

/** The page that shows this part. */
export const pageAddress = (view: ListView): string => withView("/list", view)

/** The feed of the same part, from its beginning. */
export const feedAddress = ({ cursor: _, ...view }: ListView): string => withView("/list/feed.xml", view)

/** A collection's own page. The search language has no way to write a quotation mark within a name. */
export const collectionAddress = (name: string): string =>
  pageAddress(name.includes('"') ? { collection: name } : { q: `collection:"${name}"` })

/** Where this service keeps a page's picture or a site's icon: no reader is sent to a stranger for it. */
export const pictureAddress = (kind: "image" | "favicon", url: string): string =>
  `/list/${kind}?${new URLSearchParams({ url })}`

/** What a page or a feed of this part is called; a collection's own page has its name. */
export const titleOf = ({ category, collection, q, tag }: ListView): string =>
  [q?.replace(/^collection:"([^"]+)"$/, "$1"), category, collection, tag, LIST_TITLE]
    .filter((part) => part !== undefined)
    .join(" · ")
