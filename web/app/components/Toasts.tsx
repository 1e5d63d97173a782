import { useLayoutEffect, useRef } from "preact/hooks"
import { attention, dismiss, type Toast, toasts } from "../state/toasts.ts"
import { focusList } from "./focus.ts"
import { Icon } from "./Icon.tsx"

const Message = ({ action, id, text }: Toast) => (
  <li class="toast">
    <span class="toast-text" dir="auto">
      {text}
    </span>
    {action === undefined ? null : (
      <button
        type="button"
        class="button"
        onClick={() => {
          dismiss(id)
          action.run()
        }}
      >
        {action.label}
      </button>
    )}
    <button type="button" class="icon-button" onClick={() => dismiss(id)}>
      <Icon name="close" />
      <span class="visually-hidden">Dismiss</span>
    </button>
  </li>
)

const Messages = ({ kind }: Pick<Toast, "kind">) => (
  <ul class="toasts-list" data-kind={kind} aria-live={kind === "failed" ? "assertive" : "polite"}>
    {toasts.value
      .filter((toast) => toast.kind === kind)
      .map((toast) => (
        <Message key={toast.id} {...toast} />
      ))}
  </ul>
)

const hovers = matchMedia("(hover: hover)")

/** Whether messages at their usual place would cover the focused link. */
const wouldCoverFocus = () => {
  const card = document.activeElement?.closest(".card")
  return card != null && card.getBoundingClientRect().top < innerHeight / 3
}

/** Toast messages at the edge of the screen, announced by screen readers. */
export const Toasts = () => {
  const list = useRef<HTMLElement>(null)
  const hadFocus = useRef(false)
  const all = toasts.value
  useLayoutEffect(() => {
    attention.isPresent = () =>
      list.current?.matches(hovers.matches ? ":is(:hover, :focus-within)" : ":focus-within") ?? false
  }, [])
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) focusList()
    if (list.current !== null) list.current.dataset["side"] = wouldCoverFocus() ? "end" : "start"
  }, [all])
  return (
    <section
      ref={list}
      class="toasts"
      aria-label="Messages"
      onFocusIn={() => {
        hadFocus.current = true
      }}
      onFocusOut={(event) => {
        hadFocus.current = event.relatedTarget === null
      }}
    >
      <Messages kind="done" />
      <Messages kind="failed" />
    </section>
  )
}
