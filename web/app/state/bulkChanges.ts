import { count } from "../../../src/shared/Format.ts"
import { api } from "../api.ts"
import { storeLinks } from "./entities.ts"
import { loadJobs } from "./jobs.ts"
import { reload } from "./list.ts"
import { refreshMeta } from "./meta.ts"
import { tell, tellFailure, tellNotUndone } from "./toasts.ts"

/** Undoes changes of many links, the latest first, and reloads the view. */
export const undoAll = async (tokens: ReadonlyArray<string>, force = false): Promise<void> => {
  const left = [...tokens]
  try {
    for (;;) {
      const token = left.at(-1)
      if (token === undefined) break
      storeLinks((await api.mutate({ op: "undo", token, ...(force ? { force } : {}) })).links)
      left.pop()
    }
    tell("Undone.")
  } catch (error) {
    tellNotUndone(error, () => void undoAll(left, true))
  }
  reload()
  refreshMeta()
  await loadJobs()
}

/** How many links are requested at once. */
const BATCH = 200

/** Loads links in batches, until `signal` aborts; deleted ones stay unknown. */
export const loadLinks = async (ids: ReadonlyArray<number>, signal?: AbortSignal): Promise<void> => {
  for (let at = 0; at < ids.length && !signal?.aborted; at += BATCH)
    storeLinks((await api.linksByIds(ids.slice(at, at + BATCH))).links)
}

interface Destination {
  readonly id: number
  readonly to: string
}

/** Files each link in its destination, one collection at a time, with one message and one undo for all of them. */
export const fileAll = async (moves: ReadonlyArray<Destination>): Promise<void> => {
  const tokens: Array<string> = []
  const undo = { action: { label: "Undo", run: () => void undoAll(tokens) } }
  let filed = 0
  try {
    for (const [collection, those] of Map.groupBy(moves, ({ to }) => to)) {
      const [first, ...rest] = those.map(({ id }) => id)
      if (first === undefined) continue
      const changed = await api.mutate({ op: "collection", ids: [first, ...rest], collection })
      storeLinks(changed.links)
      if (changed.undo !== undefined) tokens.push(changed.undo)
      filed += those.length
    }
    tell(`Filed ${count(filed, "link")}.`, undo)
  } catch (error) {
    tellFailure("Could not file all of them.", error)
    if (filed > 0) tell(`Filed ${filed.toLocaleString("en")} of ${moves.length.toLocaleString("en")}.`, undo)
  }
  refreshMeta()
}
