/** What counts of a key's event. */
export type Pressed = Pick<
  KeyboardEvent,
  "altKey" | "code" | "ctrlKey" | "getModifierState" | "key" | "metaKey" | "shiftKey"
>

/** Returns the pressed key as in `Action.keys`; undefined for keys of the browser or the system. */
export const pressedKey = (event: Pressed): string | undefined => {
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
