import { signal } from "@preact/signals"
import { ApiError } from "../api.ts"

/** A message at the edge of the screen. */
export interface Toast {
  readonly id: number
  readonly kind: "done" | "failed"
  readonly text: string
  /** Its button, which closes the message. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** How long a message stays, in milliseconds: longer if it has a button or reports a failure. */
const SHORT = 5_000
const LONG = 10_000
/** How much longer it stays while the user points at the messages or has the focus in them, in milliseconds. */
const EXTENSION = 1_500

export const toasts = signal<ReadonlyArray<Toast>>([])

/** Set by the component: whether the user points at the messages or has the focus in them. */
export const attention = { isPresent: () => false }

let last = 0

export const dismiss = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

const dismissAfter = (id: number, delay: number): void =>
  void setTimeout(() => (attention.isPresent() ? dismissAfter(id, EXTENSION) : dismiss(id)), delay)

/** Shows a message for a while; at most three are shown at once. */
export const tell = (
  text: string,
  { action, kind = "done" }: Partial<Pick<Toast, "action" | "kind">> = {}
): void => {
  const id = ++last
  toasts.value = [...toasts.value.slice(-2), { id, kind, text, ...(action === undefined ? {} : { action }) }]
  dismissAfter(id, action === undefined && kind === "done" ? SHORT : LONG)
}

/** The reason for a failure, as a sentence. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : "Something went wrong."

/** Reports a failure and its reason. */
export const tellFailure = (what: string, error: unknown): void =>
  tell(`${what} ${reasonOf(error)}`, { kind: "failed" })

/** Reports why an undo was rejected; if the links have changed since, offers to undo anyway. */
export const tellNotUndone = (error: unknown, undoAnyway: () => void): void =>
  error instanceof ApiError && error.code === "changed_since"
    ? tell(`Not undone. ${error.message}`, {
        kind: "failed",
        action: { label: "Undo anyway", run: undoAnyway }
      })
    : tellFailure("Not undone.", error)

/** Runs the action of the newest message that has one. */
export const runLatest = (): void => {
  const toast = toasts.value.findLast(({ action }) => action !== undefined)
  if (toast === undefined) return
  dismiss(toast.id)
  toast.action?.run()
}
