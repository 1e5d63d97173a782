/** Whether the system is Apple's, and its keyboard has a Command key. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

const names: Readonly<Record<string, string>> = {
  Mod: isApple ? "⌘" : "Ctrl",
  Shift: isApple ? "⇧" : "Shift",
  ArrowDown: "↓",
  ArrowUp: "↑",
  Escape: "Esc"
}

/** Shows the keys of `Command.keys` as labelled on the keyboard. */
export const KeyNames = ({ keys }: { readonly keys: string }) => (
  <span class="keys">
    {keys.split(/ |(?<=.)\+(?=.)/).map((key, at) => (
      <kbd key={at}>{names[key] ?? (/.\+./.test(keys) ? key.toUpperCase() : key)}</kbd>
    ))}
  </span>
)
