import { pathOf } from "../../src/shared/CollectionPath.ts"
import { api } from "./platform.ts"

/** How old a bookmark may be when the browser reports it, in milliseconds: those imported or synchronized are older. */
const FRESH = 30_000

/** The names of the folders around a bookmark, outermost first, without those that the browser itself has. */
const foldersOf = async (id: string | undefined): Promise<ReadonlyArray<string>> => {
  const [folder] = id === undefined ? [] : await api.bookmarks.get(id)
  if (folder?.parentId === undefined) return []
  const [parent] = await api.bookmarks.get(folder.parentId)
  return parent?.parentId === undefined ? [] : [...(await foldersOf(folder.parentId)), folder.title]
}

/** The collection that a bookmark's folders name; empty at the top. */
export const collectionOf = async ({ parentId }: chrome.bookmarks.BookmarkTreeNode): Promise<string> =>
  pathOf(await foldersOf(parentId))

/**
 * Whether the user has just made this bookmark in a window that the extension may see, which excludes private windows.
 */
export const isMadeHere = async ({ dateAdded = 0 }: chrome.bookmarks.BookmarkTreeNode): Promise<boolean> =>
  Math.abs(Date.now() - dateAdded) < FRESH && (await api.windows.getLastFocused()).focused

let isListening = false

/**
 * Calls `save` for every new bookmark. The browser has the API only while it permits the extension to see bookmarks, so
 * this is called at every start and when a permission is granted.
 */
export const onBookmark = (save: (bookmark: chrome.bookmarks.BookmarkTreeNode) => void): void => {
  if (isListening || api.bookmarks === undefined) return
  isListening = true
  api.bookmarks.onCreated.addListener((_, bookmark) => save(bookmark))
}
