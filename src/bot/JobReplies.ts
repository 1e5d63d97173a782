import { Option, Schema } from "effect"
import type { Job, JobAction } from "../domain/Job.ts"
import { Link } from "../domain/Link.ts"
import { bold, concat, empty, type Html, italic, lines, link, text } from "./Html.ts"

/** Collections and groups of duplicates a result names. */
const MOST_NAMED = 10
const MAX_TITLE = 100

const doing: Record<JobAction, string> = {
  refresh: "Looking again",
  recategorize: "Recategorizing",
  organize: "Organizing",
  dupes: "Looking for duplicates",
  reindex: "Indexing"
}

const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`

/** How far a running job has come. */
export const progressReply = ({ action, done, total }: Job): Html =>
  text(`⏳ ${doing[action]}… ${done} of ${count(total, "link")}`)

/** The job that was asked for is running for somebody already. */
export const runningReply = (job: Job): Html => lines([text("Already at it."), progressReply(job)])

const organizeOf = Schema.decodeUnknownOption(
  Schema.Struct({
    filed: Schema.Int,
    collections: Schema.Int,
    moves: Schema.Array(Schema.Struct({ to: Schema.String }))
  })
)
const recategorizeOf = Schema.decodeUnknownOption(
  Schema.Struct({ changed: Schema.Int, categories: Schema.Int })
)
const duplicatesOf = Schema.decodeUnknownOption(
  Schema.Struct({
    groups: Schema.Array(
      Schema.Struct({ reason: Schema.String, similarity: Schema.Number, links: Schema.Array(Link) })
    )
  })
)

const more = (unnamed: number) => (unnamed > 0 ? italic(text(`and ${unnamed} more`)) : empty)
const undo = italic(text("It can be taken back on the dashboard."))

const organized = (result: unknown): Html => {
  const { collections, filed, moves } = Option.getOrElse(organizeOf(result), () => ({
    filed: 0,
    collections: 0,
    moves: []
  }))
  if (filed === 0) return text("Nothing to organize: no unfiled link is near enough to others.")
  const sizes = new Map<string, number>()
  for (const { to } of moves) sizes.set(to, (sizes.get(to) ?? 0) + 1)
  const named = [...sizes].sort((a, b) => b[1] - a[1])
  const formed = collections > 0 ? `, ${count(collections, "new collection")}` : ""
  return lines([
    bold(text(`Filed ${count(filed, "link")}${formed}.`)),
    ...named.slice(0, MOST_NAMED).map(([name, size]) => text(`${name}: ${size}`, MAX_TITLE)),
    more(named.length - MOST_NAMED),
    undo
  ])
}

const recategorized = (result: unknown): Html => {
  const { categories, changed } = Option.getOrElse(recategorizeOf(result), () => ({
    changed: 0,
    categories: 0
  }))
  if (changed === 0)
    return text(`No category changed; there are ${count(categories, "category", "categories")}.`)
  return lines([
    bold(
      text(
        `${count(changed, "link")} recategorized; there are ${count(categories, "category", "categories")}.`
      )
    ),
    undo
  ])
}

const duplicates = (result: unknown): Html => {
  const { groups } = Option.getOrElse(duplicatesOf(result), () => ({ groups: [] }))
  if (groups.length === 0) return text("No duplicates found.")
  const named = groups.slice(0, MOST_NAMED).map(({ links, reason, similarity }) => {
    const why = reason === "same-page" ? "the same page" : `${Math.round(similarity * 100)} % alike`
    const numbers = links.map(({ id }) => `#${id}`).join(", ")
    const [first] = links
    const title = first === undefined ? empty : link(first.url, text(first.title, MAX_TITLE))
    return concat(title, text(` ${numbers}: ${why}`, MAX_TITLE))
  })
  return lines([
    bold(text(`${count(groups.length, "group")} of duplicates:`)),
    ...named,
    more(groups.length - MOST_NAMED),
    italic(text("They can be merged on the dashboard."))
  ])
}

/** How a job has ended; `result` is what came of it. */
export const endReply = ({ action, done, error, state, total }: Job, result: unknown): Html => {
  if (state === "failed") return text(`${doing[action]} failed. ${error ?? ""}`)
  if (state === "interrupted")
    return text(
      `${doing[action]} was interrupted at ${done} of ${count(total, "link")}. Send the command again to go on.`
    )
  switch (action) {
    case "organize":
      return organized(result)
    case "recategorize":
      return recategorized(result)
    case "dupes":
      return duplicates(result)
    case "refresh":
    case "reindex":
      return text("Done.")
  }
}
