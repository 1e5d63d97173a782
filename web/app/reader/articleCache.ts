let removals = 0

/** How often all kept articles were removed here: what was fetched before the last time must not be kept after it. */
export const countRemovals = (): number => removals

/** Removes the articles that are kept for reading offline, those included that are just being fetched. */
export const removeArticles = async (): Promise<void> => {
  removals++
  if ("caches" in window) await caches.delete(ARTICLES)
}

/** The cache of the articles that can be read offline. It exists only while the owner is signed in and wants them kept. */
export const ARTICLES = "linkbower-articles"

/** The header of a response that comes from this browser because the service did not answer. */
export const COPY = "linkbower-copy"

export const linkPath = (id: number): string => `/dashboard/api/links/${id}`

/** The path of the highlights of an article. */
export const highlightsPath = (id: number): string => `${linkPath(id)}/highlights`

/** The path of the document that shows a kept page. */
export const documentPath = (id: number): string => `/dashboard/read/${id}/document`

const ofArticle =
  /^\/dashboard\/(?:api\/links\/(\d{1,15})(?:\/highlights|\/page\/pictures\/[^/]+)?|read\/(\d{1,15})\/document)$/

/** The number of the link whose article needs what is at this path; undefined for other paths. */
export const articleOf = (path: string): number | undefined => {
  const found = ofArticle.exec(path)
  return found === null ? undefined : Number(found[1] ?? found[2])
}

/** Whether an answer says that nobody is signed in; a redirect leads to a page for signing in. */
export const isRefusal = ({ status, type }: Pick<Response, "status" | "type">): boolean =>
  status === 401 || status === 403 || type === "opaqueredirect"
