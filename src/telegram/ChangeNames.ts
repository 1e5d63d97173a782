import type { ChatChange } from "../domain/ChatChange.ts"
import type { JobAction } from "../domain/Job.ts"
import type { LinkId, LinkState } from "../domain/Link.ts"
import type { Undone } from "../library/ChatChanges.ts"
import { count, grouped } from "../shared/Format.ts"
import { shortened } from "../shared/Text.ts"

/** Maximum length of a name in a sentence, and number of link numbers, so that a sentence stays one. */
const MAX_NAME = 80
const MAX_NUMBERS = 10

const quoted = (name: string) => `“${shortened(name, MAX_NAME)}”`
const short = (name: string) => shortened(name, MAX_NAME)
const listed = new Intl.ListFormat("en")

const numbersOf = (ids: ReadonlyArray<LinkId>): string => {
  const more = ids.length - MAX_NUMBERS
  const shown = ids.slice(0, MAX_NUMBERS).map((id) => `#${id}`)
  return listed.format(more > 0 ? [...shown, `${grouped(more)} more`] : shown)
}

const tagsOf = (tags: ReadonlyArray<string>) => listed.format(tags.map(quoted))
const nounOf = (tags: ReadonlyArray<string>) => (tags.length === 1 ? "tag" : "tags")

const jobs: Partial<Record<JobAction, string>> = {
  organize: "/organize",
  recategorize: "/recategorize",
  import: "the import"
}
const jobName = (action: JobAction) => jobs[action] ?? "the job"

const states: Record<LinkState, string> = { unread: "unread", read: "read", archived: "archived" }

/** Names a change as a noun, such as `moving #1 to Work`. */
export const changeName = (change: ChatChange): string => {
  switch (change.kind) {
    case "favorite":
      return change.on ? `★ on #${change.id}` : `removing ★ from #${change.id}`
    case "share":
      return change.on ? `sharing #${change.id}` : `no longer sharing #${change.id}`
    case "state":
      return `marking #${change.id} as ${states[change.to]}`
    case "move":
      return change.to === null
        ? `taking #${change.id} out of ${short(change.from ?? "its collection")}`
        : `moving #${change.id} to ${short(change.to)}`
    case "tags":
      return `the tags of #${change.id}`
    case "title":
      return `the title of #${change.id}`
    case "highlight":
      return `the highlight in #${change.id}`
    case "notes":
      return change.ids.length === 1
        ? `the note on ${numbersOf(change.ids)}`
        : `the notes on ${numbersOf(change.ids)}`
    case "trash":
      return `deleting #${change.id}`
    case "remove":
      return `deleting #${change.id} forever`
    case "restore":
      return `restoring #${change.id}`
    case "merge":
      return `merging ${numbersOf(change.others)} into #${change.id}`
    case "job":
      return jobName(change.action)
  }
}

const moved = (id: LinkId, from: string | null, to: string | null): string => {
  if (from === null) return `moved #${id} back out of ${short(to ?? "its collection")}`
  return `moved #${id} back to ${short(from)}`
}

const retagged = (id: LinkId, added: ReadonlyArray<string>, removed: ReadonlyArray<string>): string =>
  listed.format([
    ...(added.length === 0 ? [] : [`took the ${nounOf(added)} ${tagsOf(added)} off #${id}`]),
    ...(removed.length === 0 ? [] : [`put the ${nounOf(removed)} ${tagsOf(removed)} back on #${id}`])
  ])

const jobUndone = (action: JobAction, ids: ReadonlyArray<LinkId>, deleted: ReadonlyArray<LinkId>): string => {
  const links = count(ids.length, "link")
  switch (action) {
    case "organize":
      return `/organize, ${links} unfiled again`
    case "recategorize":
      return `/recategorize, ${links} back in ${ids.length === 1 ? "its former category" : "their former categories"}`
    default:
      return `${jobName(action)}, ${count(ids.length + deleted.length, "link")} as before`
  }
}

/** Says what taking an import back has deleted, and how many links have their former values again. */
const importTakenBack = ({ deleted, ids }: Pick<Undone, "deleted" | "ids">): string => {
  const parts = [
    ...(deleted.length === 0 ? [] : [`${count(deleted.length, "link")} deleted`]),
    ...(ids.length === 0 ? [] : [`${count(ids.length, "link")} as before`])
  ]
  return `Took back the import${parts.length === 0 ? "" : `: ${parts.join(", ")}`}.`
}

/** Says in a sentence what undoing a change has done; `change` is undefined if only its token is known. */
export const undoneSentence = ({ change, deleted, ids }: Undone): string => {
  if (change === undefined)
    return deleted.length > 0
      ? `Undone: ${count(deleted.length, "link")} back in the trash.`
      : `Undone: ${count(ids.length, "link")} as before.`
  switch (change.kind) {
    case "trash":
      return `Restored #${change.id}.`
    case "remove":
      return `Deleting #${change.id} forever can’t be undone.`
    case "restore":
      return `Undone: moved #${change.id} back to the trash.`
    case "merge":
      return `Undone: the merge into #${change.id}. Restored ${numbersOf(change.others)}.`
    case "favorite":
      return change.on
        ? `Undone: removed ★ from #${change.id}.`
        : `Undone: #${change.id} is a favorite again.`
    case "share":
      return change.on
        ? `Undone: took #${change.id} off the public list.`
        : `Undone: #${change.id} is on the public list again.`
    case "state":
      return `Undone: marked #${change.id} as ${states[change.from]} again.`
    case "move":
      return `Undone: ${moved(change.id, change.from, change.to)}.`
    case "tags":
      return `Undone: ${retagged(change.id, change.added, change.removed)}.`
    case "title":
      return `Undone: #${change.id} is called ${quoted(change.from)} again.`
    case "highlight":
      return `Undone: removed the highlight in #${change.id}.`
    case "notes":
      return `Undone: restored the ${change.tagged === true ? "note and tags" : change.ids.length === 1 ? "note" : "notes"} of ${numbersOf(change.ids)}.`
    case "job":
      if (change.action === "import") return importTakenBack({ deleted, ids })
      return `Undone: ${jobUndone(change.action, ids, deleted)}.`
  }
}
