import { useLayoutEffect, useRef } from "preact/hooks"
import { actionCalled } from "../actions/registry.ts"
import { lazyParts } from "../state/lazy.ts"
import { attention, dismiss, type Toast, toasts } from "../state/toasts.ts"
import { Button, IconButton } from "./Button.tsx"
import { focusList } from "./focus.ts"

const Message = ({ action, id, text }: Toast) => {
  const parts = lazyParts.value
  // Other labels are also those of actions on the current link, whose keys do something else.
  const key = action?.label === "Undo" ? actionCalled("Undo")?.keys?.[0] : undefined
  return (
    <li class="toast floating">
      <span class="clamp prewrap" dir="auto">
        {text}
      </span>
      {action === undefined ? null : (
        <Button
          onClick={() => {
            dismiss(id)
            action.run()
          }}
        >
          {action.label}
          {key === undefined || parts === null ? null : (
            <span class="menu-key" aria-hidden="true">
              <parts.KeyNames keys={key} />
            </span>
          )}
        </Button>
      )}
      <IconButton icon="close" label="Dismiss" onClick={() => dismiss(id)} />
    </li>
  )
}

interface MessagesProps extends Pick<Toast, "kind"> {
  readonly shown: Toast | undefined
}

const Messages = ({ kind, shown }: MessagesProps) => (
  <ul class="toasts-list" data-kind={kind} aria-live={kind === "failed" ? "assertive" : "polite"}>
    {shown?.kind === kind ? <Message key={shown.id} {...shown} /> : null}
  </ul>
)

/** Whether the pointer can hover. */
export const hovers = matchMedia("(hover: hover)")

/** The message to show: the latest failure, or else the latest message. */
const first = (all: ReadonlyArray<Toast>) => all.findLast(({ kind }) => kind === "failed") ?? all.at(-1)

/** Keeps the room that a message takes free below the list, and scrolls the focused link out from under it. */
const makeRoom = (height: number) => {
  const root = document.documentElement.style
  if (height === 0) root.removeProperty("--toast-height")
  else root.setProperty("--toast-height", `${height}px`)
  if (height > 0) document.activeElement?.closest(".card")?.scrollIntoView({ block: "nearest" })
}

/** The message at the bottom of the screen, announced by screen readers. */
export const Toasts = () => {
  const list = useRef<HTMLElement>(null)
  const hadFocus = useRef(false)
  const shown = first(toasts.value)
  useLayoutEffect(() => {
    attention.isPresent = () =>
      list.current?.matches(hovers.matches ? ":is(:hover, :focus-within)" : ":focus-within") ?? false
  }, [])
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) focusList()
    makeRoom(list.current?.offsetHeight ?? 0)
  }, [shown])
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
      <Messages kind="done" shown={shown} />
      <Messages kind="failed" shown={shown} />
    </section>
  )
}
