import type { Signal } from "@preact/signals"
import type { ComponentChildren } from "preact"

interface Props {
  readonly setting: Signal<"on" | "off">
  readonly name: string
  /** What it changes. */
  readonly children: ComponentChildren
}

/** A setting of this browser that is on or off. */
export const Switch = ({ children, name, setting }: Props) => (
  <label class="choice">
    <input
      type="checkbox"
      checked={setting.value === "on"}
      onChange={({ currentTarget }) => {
        setting.value = currentTarget.checked ? "on" : "off"
      }}
    />
    <span>
      {name}
      <span class="hint">{children}</span>
    </span>
  </label>
)
