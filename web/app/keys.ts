import { type Command, commands } from "./commands.ts"
import { dialog } from "./state/dialogs.ts"
import { shortcuts } from "./state/preferences.ts"

/** Timeout for the second key of a two-key shortcut, in milliseconds. */
const CHORD_TIMEOUT = 1_000

/** The commands of each key: of those that share one, the first that is available runs. */
const byKey = Map.groupBy(
  commands.flatMap((command) => (command.keys ?? []).map((key) => ({ key, command }))),
  ({ key }) => key
)
const firsts = new Set(
  [...byKey.keys()].flatMap((key) => (key.includes(" ") ? key.split(" ").slice(0, 1) : []))
)

/** Returns the pressed key as in `Command.keys`; undefined for keys of the browser or the system. */
export const keyOf = (event: KeyboardEvent): string | undefined => {
  const { altKey, code, ctrlKey, metaKey, shiftKey } = event
  const key = event.key === " " ? "Space" : event.key
  // On keyboards of other scripts, the shortcuts are at the positions of the Latin letters.
  const sign = /^Key[A-Z]$/.test(code) && /^[^\0-\x7f]$/u.test(key) ? code.slice(3) : key
  const isLetter = /^[a-z]$/i.test(sign)
  // Some keyboards have `#` on a key with Alt.
  const isSign = sign.length === 1 && !isLetter
  if (isSign && !metaKey && (!ctrlKey || event.getModifierState("AltGraph"))) return sign
  if (altKey || (ctrlKey && metaKey)) return undefined
  const modifier = ctrlKey || metaKey ? "Mod+" : ""
  return `${modifier}${shiftKey ? "Shift+" : ""}${isLetter ? sign.toLowerCase() : sign}`
}

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

const find = (key: string, at: number): Command | undefined => {
  const first = begun !== undefined && at - begun.at < CHORD_TIMEOUT ? begun.key : undefined
  begun = first === undefined && firsts.has(key) ? { key, at } : undefined
  return byKey
    .get(first === undefined ? key : `${first} ${key}`)
    ?.find(({ command: { isAvailable } }) => isAvailable?.() !== false)?.command
}

/** Runs the command of a pressed key; a frame of the page passes its own on. */
export const handleKey = (event: KeyboardEvent): void => {
  if (event.defaultPrevented || event.isComposing) return
  const key = keyOf(event)
  // An element of a frame is of no class of this window, and is never a field of the app.
  const focus = event.target instanceof Element ? event.target : document.body
  if (key === undefined || !isOurs(key, focus)) return
  const command = find(key, event.timeStamp)
  if (command === undefined) return
  // Only movement repeats while a key is held.
  if (event.repeat && command.group !== "Move" && command.repeats !== true && !key.includes("Arrow")) return
  if (command.run() !== false) event.preventDefault()
}

/** Installs the keyboard shortcuts of the commands. */
export const startKeys = (): void => window.addEventListener("keydown", handleKey)
