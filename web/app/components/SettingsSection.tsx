import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

interface Props {
  readonly title: string
  readonly children: ComponentChildren
}

/** A part of a tab of the settings. */
export const SettingsSection = ({ children, title }: Props) => {
  const id = useId()
  return (
    <section class="settings-section stack" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}
