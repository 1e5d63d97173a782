import type { DuplicateGroup, Job, JobAction, ShownJob } from "../domain/Job.ts"
import { count } from "../shared/Format.ts"
import { button, rowsOf } from "./Buttons.ts"
import { linkLine } from "./Card.ts"
import { bold, type Content, concat, empty, type Html, italic, lines, link, text } from "./Content.ts"

/** Maximum number of collections or groups of duplicates listed in a result. */
const MAX_LISTED = 10
const MAX_TITLE = 100
const MERGES_PER_ROW = 3

const doing: Record<JobAction, string> = {
  refresh: "Looking again",
  recategorize: "Recategorizing",
  organize: "Organizing",
  dupes: "Looking for duplicates",
  reindex: "Indexing",
  import: "Importing",
  read: "Reading pages",
  retry: "Trying again"
}

type Progress = Pick<Job, "action" | "done" | "total">

/** The progress of a running job. */
export const progressReply = ({ action, done, total }: Progress): Html =>
  text(`⏳ ${doing[action]}… ${done.toLocaleString("en")} of ${count(total, "link")}`)

/** Says that the requested job is already running, with its progress. */
export const runningReply = (job: Progress): Html => lines([text("Already running."), progressReply(job)])

/** The result of a job of this kind. */
type Result<A extends JobAction> = Extract<ShownJob, { readonly action: A }>["result"]

const more = (unnamed: number) => (unnamed > 0 ? italic(text(`and ${unnamed} more`)) : empty)
/** The button that undoes the whole job; no button if the job has no undo token. */
const undo = ({ id, undo: token }: Pick<Job, "id" | "undo">): NonNullable<Content["buttons"]> =>
  token === null ? [] : [[button("↩ Undo", { _tag: "UndoJob", job: id })]]

const organized = (result: Result<"organize">): Html => {
  if (result === null || result.filed === 0)
    return text("Nothing to organize: no unfiled link is similar enough to others.")
  const { collections, filed, moves = [] } = result
  const sizes = new Map<string, number>()
  for (const { to } of moves) sizes.set(to, (sizes.get(to) ?? 0) + 1)
  const named = [...sizes].sort((a, b) => b[1] - a[1])
  const formed = collections > 0 ? `, ${count(collections, "new collection")}` : ""
  return lines([
    bold(text(`Filed ${count(filed, "link")}${formed}.`)),
    ...named.slice(0, MAX_LISTED).map(([name, size]) => text(`${name}: ${size}`, MAX_TITLE)),
    more(named.length - MAX_LISTED)
  ])
}

const recategorized = (result: Result<"recategorize">): Html => {
  const { categories, changed } = result ?? { changed: 0, categories: 0 }
  if (changed === 0)
    return text(`No category changed; there are ${count(categories, "category", "categories")}.`)
  return bold(
    text(`${count(changed, "link")} recategorized; there are ${count(categories, "category", "categories")}.`)
  )
}

const imported = (result: Result<"import">): Html => {
  if (result === null) return text("Imported.")
  const { created, format, merged, rejected } = result
  return text(`${format}: ${count(created, "link")} imported · ${merged} already here · ${rejected} rejected`)
}

const retried = (result: Result<"retry">): Html => {
  const { arrivals, complete, tried } = result ?? { tried: 0, complete: 0, arrivals: 0 }
  if (tried + arrivals === 0) return text("Nothing to retry: every link is complete.")
  const again =
    arrivals > 0 ? ` ${count(arrivals, "message or capture", "messages or captures")} started again.` : ""
  return text(`${complete.toLocaleString("en")} of ${count(tried, "incomplete link")} completed.${again}`)
}

/** The groups of duplicates that a job found; none if it did something else. */
export const groupsOf = (job: ShownJob): ReadonlyArray<DuplicateGroup> =>
  job.action === "dupes" ? (job.result?.groups ?? []) : []

const reasonOf = ({ reason, similarity }: DuplicateGroup) =>
  reason === "same-page" ? "the same page" : `${Math.round(similarity * 100)} % similar`

const duplicates = (job: number, groups: ReadonlyArray<DuplicateGroup>): Content => {
  if (groups.length === 0) return { html: text("No duplicates found.") }
  const shown = groups.slice(0, MAX_LISTED)
  const items = shown.map((group, index) => {
    const [first] = group.links
    const title = first === undefined ? empty : link(first.url, text(first.title, MAX_TITLE))
    const numbers = group.links.map(({ id }) => `#${id}`).join(", ")
    return concat(text(`${index + 1}. `), title, text(` ${numbers}: ${reasonOf(group)}`, MAX_TITLE))
  })
  const merges = shown.flatMap(({ links }, index) =>
    links.slice(0, 1).map(({ id }) => button(`Merge ${index + 1}`, { _tag: "Merge", job, id }))
  )
  return {
    html: lines([
      bold(text(`${count(groups.length, "group")} of duplicates:`)),
      ...items,
      more(groups.length - MAX_LISTED)
    ]),
    buttons: rowsOf(merges, MERGES_PER_ROW)
  }
}

/** Asks whether to merge the links of a group into its first. */
export const mergeQuestion = (job: number, { links }: DuplicateGroup): Content => {
  const [into, ...others] = links
  if (into === undefined) return { html: text("Nothing left to merge.") }
  return {
    html: lines([
      concat(text(`Merge ${count(links.length, "link")} into `), linkLine(into, MAX_TITLE), text("?")),
      ...others.slice(0, MAX_LISTED).map((one) => linkLine(one, MAX_TITLE)),
      text("Notes, tags and marks are combined; the other links are deleted permanently.")
    ]),
    buttons: [
      [button("Merge", { _tag: "MergeForGood", job, id: into.id }), button("Keep", { _tag: "Report", job })]
    ]
  }
}

/** Reports how a job ended, with its result. */
export const resultReply = (job: ShownJob): Content => {
  const { action, done, error, state, total } = job
  if (state === "failed") return { html: text(`${doing[action]} failed. ${error ?? ""}`), buttons: undo(job) }
  if (state === "interrupted")
    return {
      html: text(
        `${doing[action]} was interrupted at ${done.toLocaleString("en")} of ${count(total, "link")}. Send the command again to continue.`
      ),
      buttons: undo(job)
    }
  switch (job.action) {
    case "organize":
      return { html: organized(job.result), buttons: undo(job) }
    case "recategorize":
      return { html: recategorized(job.result), buttons: undo(job) }
    case "dupes":
      return duplicates(job.id, groupsOf(job))
    case "import":
      return { html: imported(job.result) }
    case "retry":
      return { html: retried(job.result) }
    case "read":
    case "refresh":
    case "reindex":
      return { html: text("Done.") }
  }
}
