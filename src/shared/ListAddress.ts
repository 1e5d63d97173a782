export const LIST_TITLE = "Shared links"
export const LIST_DESCRIPTION = "Links from one person’s library that are worth passing on."

/** The part of the public list that an address selects, with the values as written; unset fields are absent. */
export interface ListView {
  readonly q?: string
  readonly category?: string
  readonly tag?: string
  readonly collection?: string
  readonly cursor?: string
}

const names = ["q", "category", "tag", "collection", "cursor"] as const

/** `valueOf` returns a parameter's value; other parameters are ignored. */
export const parseView = (valueOf: (name: string) => string | undefined): ListView =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = valueOf(name)
      return value === undefined || value.trim() === "" ? [] : [[name, value.toWellFormed()]]
    })
  )

export const viewParams = (view: ListView): URLSearchParams =>
  new URLSearchParams(
    names.flatMap((name) => {
      const value = view[name]
      return value === undefined ? [] : [[name, value]]
    })
  )

const withView = (path: string, view: ListView): string => {
  const params = viewParams(view).toString()
  return params === "" ? path : `${path}?${params}`
}

export const pageAddress = (view: ListView): string => withView("/list", view)

export const firstPageAddress = ({ cursor: _, ...view }: ListView): string => pageAddress(view)

export const feedAddress = ({ cursor: _, ...view }: ListView): string => withView("/list/feed.xml", view)

export const collectionAddress = (collection: string): string => pageAddress({ collection })

/** Whether the view is a collection's own page: nothing else narrows it. */
export const isCollectionPage = ({ category, collection, q, tag }: ListView): boolean =>
  collection !== undefined && collection !== "none" && (q ?? category ?? tag) === undefined

/** This service's copy of a picture or an icon, so that readers contact no third party. */
export const pictureAddress = (kind: "image" | "favicon", url: string): string =>
  `/list/${kind}?${new URLSearchParams({ url })}`

export const viewTitle = ({ category, collection, q, tag }: ListView): string =>
  [q?.replace(/^collection:"([^"]+)"$/, "$1"), category, collection, tag, LIST_TITLE]
    .filter((part) => part !== undefined)
    .join(" · ")
