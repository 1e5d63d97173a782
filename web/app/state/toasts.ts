import { signal } from "@preact/signals"
import { ApiError } from "../api.ts"

/** A message at the edge of the screen. */
export interface Toast {
  readonly id: number
  readonly kind: "done" | "failed"
  readonly text: string
  /** What its button does; the button goes with the first use. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** How long a message stays, in milliseconds: one that offers something longer than one that tells something. */
const TELLING = 5_000
const OFFERING = 10_000
/** How long it stays yet where somebody is at the messages when it should go. */
const LINGERING = 1_500

export const toasts = signal<ReadonlyArray<Toast>>([])

/** Set by the messages on the screen: whether somebody points at them or has the focus in them. */
export const attention = { isHere: () => false }

let last = 0

export const dismiss = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

const dismissAfter = (id: number, delay: number): void =>
  void setTimeout(() => (attention.isHere() ? dismissAfter(id, LINGERING) : dismiss(id)), delay)

/** Shows a message for a while; at most three stand at once. */
export const tell = (
  text: string,
  { action, kind = "done" }: Partial<Pick<Toast, "action" | "kind">> = {}
): void => {
  const id = ++last
  toasts.value = [...toasts.value.slice(-2), { id, kind, text, ...(action === undefined ? {} : { action }) }]
  dismissAfter(id, action === undefined && kind === "done" ? TELLING : OFFERING)
}

/** Why something did not work, in the words of whatever refused it. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : "Something went wrong."

/** Says that something did not work, and why. */
export const tellFailure = (what: string, error: unknown): void =>
  tell(`${what} ${reasonOf(error)}`, { kind: "failed" })

/** Says why an undo was refused; where the links have changed since, offers to undo anyway. */
export const tellNotUndone = (error: unknown, undoAnyway: () => void): void =>
  error instanceof ApiError && error.code === "changed_since"
    ? tell(`Not undone. ${error.message}`, {
        kind: "failed",
        action: { label: "Undo anyway", run: undoAnyway }
      })
    : tellFailure("Not undone.", error)

/** What `z` does: the action of the newest message that has one. */
export const runLatest = (): void => {
  const toast = toasts.value.findLast(({ action }) => action !== undefined)
  if (toast === undefined) return
  dismiss(toast.id)
  toast.action?.run()
}
