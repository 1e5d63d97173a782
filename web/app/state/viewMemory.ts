import type { Listing } from "./list.ts"
import { entry, paramsOf } from "./place.ts"

/** How many views are remembered for going back to. */
const REMEMBERED = 20

/** A view as it was left, and the first of its links that could be seen. */
interface View {
  readonly listing: Listing
  readonly top: number
}

const views = new Map<string, View>()

/** Remembers how the view of this history entry stands. */
export const remember = (listing: Listing, top: number): void => {
  const key = entry.peek()
  views.delete(key)
  views.set(key, { listing, top })
  for (const oldest of [...views.keys()].slice(0, -REMEMBERED)) views.delete(oldest)
}

/** The view of this history entry; none where its address asks for something else by now, as typing makes it do. */
export const recall = (params: URLSearchParams): View | undefined => {
  const view = views.get(entry.peek())
  return view !== undefined && paramsOf(view.listing.filters).toString() === params.toString()
    ? view
    : undefined
}

const positionKey = () => `linkbower.position.${entry.peek()}`

/** Remembers over a reload how far this history entry was scrolled, and how much of it was loaded. */
export const rememberPosition = (top: number, length: number): void => {
  try {
    sessionStorage.setItem(positionKey(), JSON.stringify([top, length]))
  } catch {
    // Without storage a reload begins at the top.
  }
}

export const recallPosition = (): { readonly top: number; readonly length: number } => {
  try {
    const [top, length]: ReadonlyArray<unknown> = JSON.parse(sessionStorage.getItem(positionKey()) ?? "[]")
    if (typeof top === "number" && typeof length === "number") return { top, length }
  } catch {
    // As if nothing were remembered.
  }
  return { top: 0, length: 0 }
}
