import { api } from "../api.ts"
import { takeLinks } from "./entities.ts"
import { loadJobs } from "./jobs.ts"
import { reload } from "./list.ts"
import { refreshMeta } from "./meta.ts"
import { tell, tellFailure } from "./toasts.ts"

/** Takes changes of many links back, the last one first; what is shown of them follows. */
export const takeBackAll = async (tokens: ReadonlyArray<string>): Promise<void> => {
  try {
    for (const token of tokens.toReversed()) takeLinks((await api.mutate({ op: "undo", token })).links)
    tell("Taken back.")
  } catch (error) {
    tellFailure("That could not be taken back.", error)
  }
  reload()
  refreshMeta()
  await loadJobs()
}
