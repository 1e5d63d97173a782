/** The links that a change concerns, or `any` if it is not known which. */
export type Concerned = ReadonlyArray<number> | "any"

/** The requests that have no response yet, including those that wait for their turn; they never reject. */
const unfinished = new Set<Promise<unknown>>()
/** The last of them that concerns a link. */
const lastOf = new Map<number, Promise<unknown>>()
/** The last of them that concerns any link. */
let lastOfAny: Promise<unknown> | undefined

const waitedFor = (ids: Concerned): ReadonlyArray<Promise<unknown>> => {
  if (ids === "any") return [...unfinished]
  const before = new Set(lastOfAny === undefined ? [] : [lastOfAny])
  for (const id of ids) {
    const last = lastOf.get(id)
    if (last !== undefined) before.add(last)
  }
  return [...before]
}

/**
 * Sends a request after all earlier ones that concern a common link have a response, whether they succeed or fail.
 * Requests for different links are sent in parallel.
 */
export const inOrder = async <A>(ids: Concerned, send: () => Promise<A>): Promise<A> => {
  const before = waitedFor(ids)
  const response = before.length === 0 ? send() : Promise.all(before).then(send)
  const finished: Promise<unknown> = response
    .catch(() => undefined)
    .finally(() => {
      unfinished.delete(finished)
      if (lastOfAny === finished) lastOfAny = undefined
      if (ids !== "any") for (const id of ids) if (lastOf.get(id) === finished) lastOf.delete(id)
    })
  unfinished.add(finished)
  if (ids === "any") lastOfAny = finished
  else for (const id of ids) lastOf.set(id, finished)
  return response
}

/** Asks before the page is left while a request has no response: the change may be lost. */
export const guardUnload = (): void =>
  window.addEventListener("beforeunload", (event) => {
    if (unfinished.size > 0) event.preventDefault()
  })
