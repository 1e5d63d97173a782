import { ARTICLES } from "./articleCache.ts"

let removals = 0

/** How often all kept articles were removed here: what was fetched before the last time must not be kept after it. */
export const countRemovals = (): number => removals

/** Removes the articles that are kept for reading offline, those included that are just being fetched. */
export const removeArticles = async (): Promise<void> => {
  removals++
  if ("caches" in window) await caches.delete(ARTICLES)
}
