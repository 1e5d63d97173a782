import { describe, expect, test } from "bun:test"
import { type Pressed, pressedKey } from "../../web/app/pressedKey.ts"

/** A pressed key without modifiers, unless they are given. */
const pressed = (
  key: string,
  { altGraph = false, ...given }: Partial<Pressed> & { altGraph?: boolean } = {}
): Pressed => ({
  ...{ key, code: "", altKey: false, ctrlKey: false, metaKey: false, shiftKey: false },
  ...{ getModifierState: (name) => name === "AltGraph" && altGraph },
  ...given
})

describe("a pressed key", () => {
  for (const [what, event, key] of [
    ["a letter", pressed("j", { code: "KeyJ" }), "j"],
    ["a letter with Shift", pressed("J", { code: "KeyJ", shiftKey: true }), "Shift+j"],
    ["a letter with Caps Lock", pressed("J", { code: "KeyJ" }), "j"],
    ["a letter of another script, at the position of the Latin one", pressed("о", { code: "KeyJ" }), "j"],
    ["a Latin letter at another position", pressed("z", { code: "KeyY" }), "z"],
    ["the space bar", pressed(" ", { code: "Space" }), "Space"],
    ["a sign that needs Shift", pressed("?", { code: "Slash", shiftKey: true }), "?"],
    ["a sign that needs Alt", pressed("#", { code: "Digit3", altKey: true }), "#"],
    ["a sign that needs AltGr", pressed("#", { ctrlKey: true, altKey: true, altGraph: true }), "#"],
    ["a letter with Ctrl", pressed("z", { code: "KeyZ", ctrlKey: true }), "Mod+z"],
    [
      "a letter with Cmd and Shift",
      pressed("Z", { code: "KeyZ", metaKey: true, shiftKey: true }),
      "Mod+Shift+z"
    ],
    ["a letter with Alt, which the browser has", pressed("d", { code: "KeyD", altKey: true }), undefined],
    ["Ctrl and Cmd together", pressed("f", { ctrlKey: true, metaKey: true }), undefined]
  ] as const)
    test(`${what} is ${key ?? "not the app's"}`, () => expect(pressedKey(event)).toBe(key))
})
