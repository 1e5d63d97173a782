import { batch, type Signal, signal } from "@preact/signals"
import { ApiError, api, type Link } from "../api.ts"
import { ask } from "./dialogs.ts"
import { storeLinks } from "./entities.ts"
import { loadJobs } from "./jobs.ts"
import { belongs, listing, putFirst, reload } from "./list.ts"
import { dropMismatches } from "./listChanges.ts"
import { refreshMeta } from "./meta.ts"
import { type Concerned, inOrder } from "./queue.ts"
import { dismiss, tell, tellFailure } from "./toasts.ts"

/** A change made in this tab. */
export interface Step {
  /** What it did, as a sentence without its period. */
  readonly name: string
  readonly ids: Concerned
  /** The tokens that take it back, the oldest first; empty until the service has accepted the change. */
  tokens: ReadonlyArray<string>
  /** The message that offers to take it back. */
  message?: number
  /** Takes it back in its own way, which asks first. */
  readonly undo?: () => void
}

/** A change of more links than this is answered without them: a list that shows some loads them again. */
export const MANY = 200

/** How many steps are remembered. */
const MAX_STEPS = 100

/** The steps that can be undone, and those that were undone and can be redone; the latest last. */
export const done = signal<ReadonlyArray<Step>>([])
export const undone = signal<ReadonlyArray<Step>>([])

const add = (to: Signal<ReadonlyArray<Step>>, step: Step) => {
  to.value = [...to.value, step].slice(-MAX_STEPS)
}

const remove = (step: Step) =>
  batch(() => {
    for (const list of [done, undone]) list.value = list.value.filter((one) => one !== step)
  })

/** Remembers a change before it is sent; after a new change, nothing undone before can be redone. */
export const record = (name: string, ids: Concerned): Step => {
  const step = { name, ids, tokens: [] }
  batch(() => {
    add(done, step)
    undone.value = []
  })
  return step
}

/** Completes a step with the tokens that undo it; without any, the step is forgotten. */
export const settle = (step: Step, tokens: ReadonlyArray<string>): void => {
  step.tokens = tokens
  if (tokens.length === 0) remove(step)
}

const lowered = (name: string) => name.charAt(0).toLowerCase() + name.slice(1)

/** Shows links that an undo has changed: those that match the view again come to its top. */
const showRestored = (links: ReadonlyArray<Link>) => {
  storeLinks(links, { ifNewer: true })
  const now = listing.peek()
  if (now === null) return
  const shown = new Set(now.ids)
  const back = links.filter((link) => !shown.has(link.id) && belongs(now.filters, link))
  batch(() => {
    if (now.filters.q === "") putFirst(back.map(({ id }) => id))
    dropMismatches(links.map(({ id }) => id))
  })
}

const directions = {
  undo: { from: done, to: undone, told: "Undone", refused: "Not undone.", back: "Redo" },
  redo: { from: undone, to: done, told: "Redone", refused: "Not redone.", back: "Undo" }
} as const

type Direction = keyof typeof directions

/** Takes a step back, or makes it again; the response has the token that takes this back in turn. */
const turn = async (direction: Direction, step: Step, force = false): Promise<void> => {
  const { back, from, refused, to, told } = directions[direction]
  if (!from.peek().includes(step)) return
  const before = from.peek()
  const isLarge = step.ids !== "any" && step.ids.length > MANY
  const moved: Step = { name: step.name, ids: step.ids, tokens: [] }
  batch(() => {
    remove(step)
    add(to, moved)
    if (step.message !== undefined) dismiss(step.message)
  })
  try {
    // Not empty by the time of its turn, unless the change itself was rejected.
    await inOrder(step.ids, async () => {
      while (step.tokens.length > 0) {
        const token = step.tokens.at(-1) ?? ""
        const { links, undo } = await api.mutate(
          { op: "undo", token, ...(force ? { force } : {}) },
          isLarge ? "none" : "all"
        )
        showRestored(links)
        step.tokens = step.tokens.slice(0, -1)
        if (undo !== undefined) moved.tokens = [...moved.tokens, undo]
      }
    })
    if (moved.tokens.length === 0) return remove(moved)
    if (step.ids === "any" || isLarge) reload()
    if (step.ids === "any") void loadJobs()
    const again = direction === "undo" ? "redo" : "undo"
    moved.message = tell(`${told}: ${lowered(step.name)}.`, {
      action: { label: back, run: () => void turn(again, moved) }
    })
  } catch (error) {
    const isLost = error instanceof ApiError && error.status === 404
    batch(() => {
      if (moved.tokens.length === 0) remove(moved)
      // Back to its place among the steps that are still there.
      if (!isLost)
        from.value = before
          .filter((one) => one === step || from.peek().includes(one))
          .concat(from.peek().filter((one) => !before.includes(one)))
    })
    if (error instanceof ApiError && error.code === "changed_since")
      ask({
        title: direction === "undo" ? "Undo anyway?" : "Redo anyway?",
        text: error.message,
        confirm: direction === "undo" ? "Undo anyway" : "Redo anyway",
        cancel: "Keep the newer values",
        run: () => void turn(direction, step, true)
      })
    else tellFailure(refused, error)
  }
  refreshMeta()
}

/** Undoes a step, by default the last one; returns false if there is nothing to undo. */
export const undo = (step = done.peek().at(-1)): boolean => {
  if (step?.undo !== undefined) step.undo()
  else if (step !== undefined) void turn("undo", step)
  return step !== undefined
}

/** Makes an undone step again, by default the one undone last; returns false if there is nothing to redo. */
export const redo = (step = undone.peek().at(-1)): boolean => {
  if (step !== undefined) void turn("redo", step)
  return step !== undefined
}

/** Undoes the changes of a job, which are not steps of this tab until then. */
export const undoJob = (name: string, token: string): Promise<void> => {
  const step: Step = { name, ids: "any", tokens: [token] }
  add(done, step)
  return turn("undo", step)
}
