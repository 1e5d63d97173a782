import { signal } from "@preact/signals"
import { reasonOf } from "../reasonOf.ts"
import { outage } from "./connection.ts"

export { reasonOf }

export interface Toast {
  readonly id: number
  readonly kind: "done" | "failed"
  readonly text: string
  /** Its button, which closes the message. */
  readonly action?: { readonly label: string; readonly run: () => unknown }
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

/** During an outage, failures wait for its end, because what they offer needs the service. */
const mustStay = (kind: Toast["kind"]) =>
  attention.isPresent() || (kind === "failed" && outage.peek() !== undefined)

const dismissAfter = (id: number, kind: Toast["kind"], delay: number): void =>
  void setTimeout(() => (mustStay(kind) ? dismissAfter(id, kind, EXTENSION) : dismiss(id)), delay)

interface Telling extends Partial<Pick<Toast, "action" | "kind">> {
  /** Whether it is about work behind: it lets the answer to what the user has just done be read first. */
  readonly isAside?: boolean
}

/** Shows a message for a while and returns its id; at most three wait, of which one is shown. */
export const tell = (text: string, { action, isAside = false, kind = "done" }: Telling = {}): number => {
  const id = ++last
  const toast: Toast = { id, kind, text, ...(action === undefined ? {} : { action }) }
  const others = toasts.value.slice(-2)
  toasts.value = isAside ? [toast, ...others] : [...others, toast]
  dismissAfter(id, kind, action === undefined && kind === "done" ? SHORT : LONG)
  return id
}

/** Reports a failure and its reason. */
export const tellFailure = (what: string, error: unknown, more: Pick<Partial<Toast>, "action"> = {}): void =>
  void tell(`${what} ${reasonOf(error)}`, { kind: "failed", ...more })
