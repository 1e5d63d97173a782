import { count, outOf } from "../../src/shared/Format.ts"
import type { DuplicateGroup, ImportResult, Job, Link, Move } from "./api.ts"
import { isPausable, progress } from "./jobText.ts"

export const movesOf = (job: Job): ReadonlyArray<Move> =>
  job.action === "organize" ? (job.result?.moves ?? []) : []
/** How many moves an *Organize* job made or planned; it lists 1,000 at most. */
export const moveCountOf = (job: Job): number => (job.action === "organize" ? (job.result?.filed ?? 0) : 0)
export const groupsOf = (job: Job): ReadonlyArray<DuplicateGroup> =>
  job.action === "dupes" ? (job.result?.groups ?? []) : []
/** An import's result with its rejected entries, which events leave out. */
export const importIn = (job: Job): ImportResult | undefined => {
  const result = job.action === "import" ? job.result : null
  return result?.rejects === undefined ? undefined : { ...result, rejects: result.rejects }
}
export const linkIn = (job: Job): Link | undefined =>
  (job.action === "refresh" || job.action === "check") && job.result !== null && "link" in job.result
    ? job.result.link
    : undefined

type Result<A extends Job["action"]> = Extract<Job, { readonly action: A }>["result"]

const organized = (result: Result<"organize">): string => {
  if (result === null || result.filed === 0)
    return "Nothing to file: no unfiled link is similar enough to others."
  const { collections, dryRun, filed } = result
  return `${dryRun === true ? "Would file" : "Filed"} ${count(filed, "link")}${
    collections === 0 ? "" : `, ${count(collections, "new collection")}`
  }.`
}

const imported = (result: Result<"import">): string => {
  const { created, merged, rejected } = result ?? { created: 0, merged: 0, rejected: 0 }
  const parts = [
    count(created, "new link"),
    ...(merged === 0 ? [] : [`${merged.toLocaleString("en")} already there`]),
    ...(rejected === 0 ? [] : [`${rejected.toLocaleString("en")} rejected`])
  ]
  return `${parts.join(", ")}.`
}

const retried = (result: Result<"retry">): string => {
  const { arrivals, complete, tried } = result ?? { arrivals: 0, complete: 0, tried: 0 }
  const again =
    arrivals === 0 ? "" : ` ${count(arrivals, "message or capture", "messages or captures")} restarted.`
  return `${complete} of ${count(tried, "incomplete link")} completed.${again}`
}

const reverted = (result: Result<"undo">): string => {
  if (result === null) return "Done."
  const { changes, dryRun, links, skipped, things } = result
  const kept = skipped + things.length
  return `${count(changes, "change")} of ${count(links, "link")} ${dryRun === true ? "can be undone" : "undone"}.${kept === 0 ? "" : ` ${count(kept, "link or thing", "links and things")} changed since ${kept === 1 ? "stays" : "stay"} as ${kept === 1 ? "it is" : "they are"}.`}`
}

const done = (job: Job): string => {
  switch (job.action) {
    case "organize":
      return organized(job.result)
    case "recategorize": {
      const changed = job.result?.changed ?? 0
      return changed === 0 ? "No category changed." : `${count(changed, "category", "categories")} changed.`
    }
    case "dupes": {
      const groups = job.result?.groups?.length ?? job.result?.found ?? 0
      return groups === 0 ? "No duplicates found." : `${count(groups, "group")} of duplicates.`
    }
    case "import":
      return imported(job.result)
    case "read": {
      const { read, tried = read } = job.result ?? { read: job.done }
      return tried === 0 ? "There were no pages left to read." : `${outOf(read, tried, "page")} read.`
    }
    case "keep": {
      const { kept, tried } = job.result ?? { kept: 0, tried: 0 }
      return tried === 0 ? "All pages were kept already." : `${outOf(kept, tried, "page")} kept.`
    }
    case "retry":
      return retried(job.result)
    case "undo":
      return reverted(job.result)
    case "refresh":
      return job.result !== null && "tried" in job.result
        ? `${outOf(job.result.refreshed, job.result.tried, "link")} refreshed.`
        : "Done."
    case "check":
    case "reindex":
      return "Done."
  }
}

/** Says that the changes of a job that is done were undone. */
const undoneText = ({ action, result }: Job): string =>
  result !== null && "takenBack" in result && result.takenBack === true
    ? action === "import"
      ? " Taken back."
      : " Undone."
    : ""

/** How a job ended, as a sentence; while it runs, why it waits or its progress. */
export const outcomeOf = (job: Job): string => {
  switch (job.state) {
    case "running":
      if (job.waiting !== null) return job.waiting
      return job.total > 1 ? `${progress(job)} ${isPausable(job) ? "pages" : "links"}` : "Running…"
    case "failed":
      return `Failed: ${job.error ?? "see the log for the reason."}`
    case "interrupted":
      return `${isPausable(job) ? "Paused" : "Interrupted"} at ${progress(job)}.`
    case "done":
      return `${done(job)}${undoneText(job)}`
  }
}

/** What a failed import has changed: nothing if the file could not be read, but perhaps something if it failed later. */
export const keptBy = ({ done }: Job): string =>
  done === 0 ? "Nothing was changed." : `${count(done, "link")} from the file were kept.`
