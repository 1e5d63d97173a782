import { api } from "../api.ts"
import { takeLinks } from "./entities.ts"
import { loadJobs } from "./jobs.ts"
import { reload } from "./list.ts"
import { refreshMeta } from "./meta.ts"
import { tell, tellFailure, tellNotUndone } from "./toasts.ts"
import { count } from "../../../src/shared/Format.ts"

/** Undoes changes of many links, the last one first; what is shown of them follows. */
export const takeBackAll = async (tokens: ReadonlyArray<string>, force = false): Promise<void> => {
  const left = [...tokens]
  try {
    for (;;) {
      const token = left.at(-1)
      if (token === undefined) break
      takeLinks((await api.mutate({ op: "undo", token, ...(force ? { force } : {}) })).links)
      left.pop()
    }
    tell("Taken back.")
  } catch (error) {
    tellNotUndone(error, () => void takeBackAll(left, true))
  }
  reload()
  refreshMeta()
  await loadJobs()
}

/** The most links that are asked for at once. */
const AT_ONCE = 200

/** Learns of these links, some at a time; those that are no more stay unknown. Stops where it is told to. */
export const learn = async (ids: ReadonlyArray<number>, signal?: AbortSignal): Promise<void> => {
  for (let at = 0; at < ids.length && !signal?.aborted; at += AT_ONCE)
    takeLinks((await api.linksByIds(ids.slice(at, at + AT_ONCE))).links)
}

interface Destination {
  readonly id: number
  readonly to: string
}

/** Files each link where it is to go, a collection at a time, with one message and one way back for all of them. */
export const fileAll = async (moves: ReadonlyArray<Destination>): Promise<void> => {
  const tokens: Array<string> = []
  const undo = { action: { label: "Undo", run: () => void takeBackAll(tokens) } }
  let filed = 0
  try {
    for (const [collection, those] of Map.groupBy(moves, ({ to }) => to)) {
      const [first, ...rest] = those.map(({ id }) => id)
      if (first === undefined) continue
      const changed = await api.mutate({ op: "collection", ids: [first, ...rest], collection })
      takeLinks(changed.links)
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
