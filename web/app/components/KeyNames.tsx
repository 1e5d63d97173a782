/** Whether the system is Apple's, and its keyboard has a Command key. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

const names: Readonly<Record<string, string>> = {
  Mod: isApple ? "⌘" : "Ctrl",
  Shift: isApple ? "⇧" : "Shift",
  ArrowDown: "↓",
  ArrowUp: "↑",
  ArrowLeft: "←",
  ArrowRight: "→",
  Delete: "Del",
  Escape: "Esc"
}

const partsOf = (keys: string) =>
  keys.split(/ |(?<=.)\+(?=.)/).map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key))

/** The keys of `Action.keys` in words, for a tooltip. */
export const keyText = (keys: string): string => partsOf(keys).join(keys.includes(" ") ? " " : "+")

/** Shows the keys of `Action.keys` as labelled on the keyboard. */
export const KeyNames = ({ keys }: { readonly keys: string }) => (
  <span class="keys">
    {partsOf(keys).map((key, at) => (
      <kbd key={at}>{key}</kbd>
    ))}
  </span>
)
