import { batch, computed } from "@preact/signals"
import { type Action, actions, register } from "./actions/registry.ts"
import { focusSearch } from "./components/focus.ts"
import { pressedKey } from "./pressedKey.ts"
import { dialog } from "./state/dialogs.ts"
import { lazyParts, withParts } from "./state/lazy.ts"
import { shortcuts } from "./state/preferences.ts"
import { current } from "./state/selection.ts"

/** Timeout for the second key of a two-key shortcut, in milliseconds. */
const CHORD_TIMEOUT = 1_000

/** The actions of each key, in order of precedence. */
const byKey = computed(() =>
  Map.groupBy(
    actions.value.flatMap((action) => (action.keys ?? []).map((key) => ({ key, action }))),
    ({ key }) => key
  )
)

/** Whether a two-key shortcut begins with this key. */
const isFirst = (key: string) => byKey.value.keys().some((keys) => keys.startsWith(`${key} `))

/** Whether the key is a single character, which the user may have turned off (WCAG 2.2, 2.1.4). */
const isSingle = (key: string) => /^(Shift\+)?.$/u.test(key)

const editable = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]"
const operable = `${editable}, a[href], button, input, summary, [role=button], [role=option]`

const covered = () =>
  dialog.value !== null ||
  document.querySelector("dialog[open], :popover-open:not([popover=manual])") !== null

/** Whether the app may handle a key, depending on the focus. */
const isOurs = (key: string, focus: Element): boolean => {
  if (key === "Mod+k") return dialog.value === null || dialog.value.kind === "palette"
  if (covered() || focus.closest(editable) !== null) return false
  const inList = focus.closest(".links") !== null
  if (key === "Mod+a" || key === "Delete" || /^(Arrow(Left|Right)|F2)$/.test(key)) return inList
  if (key === "Enter") return focus.closest(operable) === null
  if (key.endsWith("Space"))
    return inList ? focus.closest("button, input, summary") === null : focus.closest(operable) === null
  // Elsewhere the arrow keys scroll.
  if (key.includes("Arrow")) return inList || focus === document.body || focus.id === "main"
  if (key.startsWith("Mod+")) return true
  return key === "Escape" || (isSingle(key) && shortcuts.value === "on")
}

let begun: { readonly key: string; readonly at: number } | undefined

/** Performs the action of a key, or of two keys pressed one after the other. */
const act = (event: KeyboardEvent, key: string): void => {
  const first = begun !== undefined && event.timeStamp - begun.at < CHORD_TIMEOUT ? begun.key : undefined
  begun = first === undefined && isFirst(key) ? { key, at: event.timeStamp } : undefined
  const keys = first === undefined ? key : `${first} ${key}`
  const action = byKey.value.get(keys)?.find((one) => one.action.isAvailable?.() !== false)?.action
  if (action === undefined || (event.repeat && !isRepeated(action, key))) return
  if (action.perform() !== false) event.preventDefault()
}

/** Whether an action goes on while its key is held. */
const isRepeated = ({ repeats }: Action, key: string) => repeats === true || key.includes("Arrow")

/** The link that was current when the last waiting key was pressed, and after its action. */
let waited: { readonly at: number | null; readonly after: number | null } | undefined

/** Acts where the key was pressed and not where the focus has gone since, unless an earlier key has opened a dialog. */
const actLate = (at: number | null, run: () => void): void =>
  batch(() => {
    if (covered()) return
    const now = current.peek()
    const from = waited?.at === at ? waited.after : at
    current.value = from
    run()
    waited = { at, after: current.peek() }
    if (now !== from) current.value = now
  })

/** Performs the action of a pressed key; a frame of the page passes its own on. */
export const handleKey = (event: KeyboardEvent): void => {
  if (event.defaultPrevented || event.isComposing) return
  const key = pressedKey(event)
  // An element of a frame is of no class of this window, and is never a field of the app.
  const focus = event.target instanceof Element ? event.target : document.body
  if (key === undefined || !isOurs(key, focus)) return
  if (lazyParts.peek() !== null || byKey.value.has(key)) act(event, key)
  else {
    // The first key loads the actions. In the meantime the browser would scroll, or take the key itself.
    if (!key.startsWith("Mod+") || key === "Mod+k" || key === "Mod+a") event.preventDefault()
    const at = current.peek()
    void withParts(() => actLate(at, () => act(event, key)))
  }
}

// Not loaded later, because the text of a search follows its key.
register({ name: "Search", group: "Library", keys: ["/"], keyOnly: true, perform: focusSearch })

/** Installs the keyboard shortcuts of the actions. */
export const startKeys = (): void => window.addEventListener("keydown", handleKey)
