import { api } from "../api.ts"
import { takeLinks } from "./entities.ts"
import { loadJobs } from "./jobs.ts"
import { reload } from "./list.ts"
import { refreshMeta } from "./meta.ts"
import { tell, tellNotUndone } from "./toasts.ts"

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
