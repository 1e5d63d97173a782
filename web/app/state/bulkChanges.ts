import { count } from "../../../src/shared/Format.ts"
import { ApiError, api, type Changed } from "../api.ts"
import { named } from "./changes.ts"
import { forgetLinks, storeLinks } from "./entities.ts"
import { record, settle, undo } from "./history.ts"
import { dropLinks } from "./list.ts"
import { refreshMeta } from "./meta.ts"
import { optimistic } from "./optimistic.ts"
import { inOrder } from "./queue.ts"
import { clearSelection } from "./selection.ts"
import { reasonOf, tell, tellFailure } from "./toasts.ts"

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
  const step = record(
    `Filed ${count(moves.length, "link")}`,
    moves.map(({ id }) => id)
  )
  const offer = { action: { label: "Undo", run: () => undo(step) } }
  let filed = 0
  try {
    for (const [collection, those] of Map.groupBy(moves, ({ to }) => to)) {
      const [first, ...rest] = those.map(({ id }) => id)
      if (first === undefined) continue
      await inOrder([first, ...rest], async () => {
        const changed = await api.mutate({ op: "collection", ids: [first, ...rest], collection })
        storeLinks(changed.links, { ifNewer: true })
        if (changed.undo !== undefined) settle(step, [...step.tokens, changed.undo])
      })
      filed += those.length
    }
    step.message = tell(`Filed ${count(filed, "link")}.`, offer)
  } catch (error) {
    tellFailure("Could not file all of them.", error)
    if (filed === 0) settle(step, [])
    else
      step.message = tell(
        `Filed ${filed.toLocaleString("en")} of ${moves.length.toLocaleString("en")}.`,
        offer
      )
  }
  refreshMeta()
}

/** Links to merge: the link to keep, and the others, which are deleted. */
export interface Merge {
  readonly into: number
  readonly others: ReadonlyArray<number>
}

const sendMerge = ({ into, others: [first, ...rest] }: Merge): Promise<Partial<Changed>> =>
  first === undefined ? Promise.resolve({}) : api.mutate({ op: "merge", ids: [first, ...rest], into })

const showMerge = ({ others }: Merge, { links = [] }: Partial<Changed>): void => {
  storeLinks(links, { ifNewer: true })
  dropLinks(others)
  forgetLinks(others)
}

/** Merges the other links into one and deletes them; returns whether it succeeded. */
export const mergeLinks = (merge: Merge): Promise<boolean> => {
  const name = `Merged ${merge.others.length + 1} links into ${named([merge.into])}`
  return optimistic({
    name,
    ids: [merge.into, ...merge.others],
    send: () => sendMerge(merge),
    accept: (answer) => {
      showMerge(merge, answer)
      clearSelection()
    },
    done: () => `${name}.`,
    failed: "Not merged."
  })
}

/** How merging many groups ended. */
export interface MergeOutcome {
  /** Groups that were merged. */
  readonly groups: number
  /** Links that were deleted. */
  readonly deleted: number
  /** Groups that were skipped because one of their links no longer exists. */
  readonly skipped: number
  /** Why it ended early, as a sentence; empty if it did not. */
  readonly problem: string
}

/** Merges groups one after the other until `signal` aborts or the service fails; calls `onDone` after each. */
export const mergeGroups = async (
  groups: ReadonlyArray<Merge>,
  signal: AbortSignal,
  onDone: (done: number) => void
): Promise<MergeOutcome> => {
  let [merged, deleted, skipped, problem] = [0, 0, 0, ""]
  const step = record(`Merged ${count(groups.length, "group")}`, "any")
  for (const group of groups) {
    if (signal.aborted) break
    try {
      const answer = await inOrder([group.into, ...group.others], () => sendMerge(group))
      showMerge(group, answer)
      if (answer.undo !== undefined) settle(step, [...step.tokens, answer.undo])
      merged++
      deleted += group.others.length
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) {
        problem = reasonOf(error)
        break
      }
      skipped++
    }
    onDone(merged + skipped)
  }
  if (step.tokens.length === 0) settle(step, [])
  clearSelection()
  refreshMeta()
  return { groups: merged, deleted, skipped, problem }
}
