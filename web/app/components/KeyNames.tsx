/** Whether the keyboard is an Apple one, by the name of the system. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

const names: Readonly<Record<string, string>> = {
  Mod: isApple ? "⌘" : "Ctrl",
  Shift: isApple ? "⇧" : "Shift",
  ArrowDown: "↓",
  ArrowUp: "↑",
  Escape: "Esc"
}

/** A key or keys as `Command.keys` writes them, as they are written on the keyboard. */
export const KeyNames = ({ keys }: { readonly keys: string }) => (
  <span class="keys">
    {keys.split(/[ +]/).map((key, at) => (
      <kbd key={at}>{names[key] ?? (keys.includes("+") ? key.toUpperCase() : key)}</kbd>
    ))}
  </span>
)
