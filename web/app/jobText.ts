import { count } from "../../src/shared/Format.ts"
import type { ImportResult, Job, Link } from "./api.ts"

/** A link that organizing files, or would. */
export interface Move {
  readonly id: number
  readonly title: string
  readonly to: string
  /** The links that say so, the most similar first. */
  readonly because: ReadonlyArray<number>
  readonly similarity: number
}

/** Links that are one page, or nearly. */
export interface Group {
  readonly reason: "same-page" | "near-identical"
  readonly similarity: number
  readonly links: ReadonlyArray<Link>
}

type Results = {
  readonly moves: ReadonlyArray<Move>
  readonly groups: ReadonlyArray<Group>
  readonly link: Link
}

const has = <K extends string>(result: unknown, name: K): result is { readonly [name in K]: unknown } =>
  typeof result === "object" && result !== null && name in result

/** The part of a result that is called so; only what the service has written is there. */
const holds = <K extends keyof Results>(result: unknown, name: K): result is Pick<Results, K> =>
  has(result, name)

/** With what was rejected and why, which the list of jobs leaves out. */
const isImport = (result: unknown): result is ImportResult => has(result, "rejects")

export const movesOf = ({ result }: Job): ReadonlyArray<Move> => (holds(result, "moves") ? result.moves : [])
export const groupsOf = ({ result }: Job): ReadonlyArray<Group> =>
  holds(result, "groups") ? result.groups : []
/** What came of a file, as soon as all of it is known. */
export const importIn = ({ action, result }: Job): ImportResult | undefined =>
  action === "import" && isImport(result) ? result : undefined
export const linkIn = ({ result }: Job): Link | undefined => (holds(result, "link") ? result.link : undefined)

/** A number that a result holds; 0 where it holds none. */
export const countIn = <K extends string>({ result }: Job, name: K): number =>
  has(result, name) && typeof result[name] === "number" ? result[name] : 0

/** Whether it only said what it would do. */
export const isPreview = ({ action, result }: Job): boolean =>
  action === "organize" && has(result, "dryRun") && result.dryRun === true

const names: Readonly<Record<Job["action"], string>> = {
  refresh: "Read a page again",
  recategorize: "Recategorize",
  organize: "Organize",
  dupes: "Find duplicates",
  reindex: "Index",
  import: "Import",
  read: "Reading pages",
  retry: "Trying again"
}

/** What a job is called. */
export const nameOf = (job: Job): string => (isPreview(job) ? "Organize, a preview" : names[job.action])

const reached = ({ done, total }: Job): string =>
  `${done.toLocaleString("en")} of ${total.toLocaleString("en")}`

/** What a running job does, and how far it has come. */
export const progressOf = (job: Job): string =>
  job.total > 1 ? `${names[job.action]} ${reached(job)}` : `${names[job.action]}…`

const organized = (job: Job): string => {
  const filed = countIn(job, "filed")
  const formed = countIn(job, "collections")
  if (filed === 0) return "Nothing to file: no unfiled link is similar enough to others."
  return `${isPreview(job) ? "Would file" : "Filed"} ${count(filed, "link")}${
    formed === 0 ? "" : `, ${count(formed, "new collection")}`
  }.`
}

const imported = (job: Job): string => {
  const merged = countIn(job, "merged")
  const rejected = countIn(job, "rejected")
  const parts = [
    count(countIn(job, "created"), "new link"),
    ...(merged === 0 ? [] : [`${merged.toLocaleString("en")} already there`]),
    ...(rejected === 0 ? [] : [`${rejected.toLocaleString("en")} rejected`])
  ]
  return `${parts.join(", ")}.`
}

const done = (job: Job): string => {
  switch (job.action) {
    case "organize":
      return organized(job)
    case "recategorize": {
      const changed = countIn(job, "changed")
      return changed === 0 ? "No category changed." : `${count(changed, "category", "categories")} changed.`
    }
    case "dupes": {
      const groups = holds(job.result, "groups") ? job.result.groups.length : countIn(job, "found")
      return groups === 0 ? "No duplicates found." : `${count(groups, "group")} of duplicates.`
    }
    case "import":
      return imported(job)
    case "read":
      return job.done === 0 ? "There were no pages left to read." : `${count(job.done, "page")} read.`
    case "retry": {
      const arrivals = countIn(job, "arrivals")
      const again =
        arrivals === 0
          ? ""
          : ` ${count(arrivals, "message or capture", "messages or captures")} started again.`
      return `${countIn(job, "complete")} of ${count(countIn(job, "tried"), "incomplete link")} completed.${again}`
    }
    case "refresh":
    case "reindex":
      return "Done."
  }
}

/** How a job ended, in a sentence; while it runs, why it waits or how far it is. */
export const outcomeOf = (job: Job): string => {
  switch (job.state) {
    case "running":
      if (job.waiting !== null) return job.waiting
      return job.total > 1 ? `${reached(job)} ${job.action === "read" ? "pages" : "links"}` : "Running…"
    case "failed":
      return `Failed: ${job.error ?? "see the log for the reason."}`
    case "interrupted":
      return `${job.action === "read" ? "Paused" : "Interrupted"} at ${reached(job)}.`
    case "done":
      return done(job)
  }
}

/** What an import that failed leaves behind: a file that cannot be read changes nothing, a full disk may come later. */
export const leftBy = ({ done }: Job): string =>
  done === 0 ? "Nothing was changed." : `${count(done, "link")} from the file were kept.`

/** The page that shows what came of a job. */
export const hrefOfJob = ({ action, id }: Job): string =>
  action === "dupes" ? "/dashboard/duplicates" : `/dashboard/jobs/${id}`
