import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

interface Props {
  readonly title: string
  /** Shown below the title. */
  readonly hint?: string
  readonly class?: string
  readonly children: ComponentChildren
}

export const Section = ({ children, class: look = "settings-section", hint, title }: Props) => {
  const id = useId()
  return (
    <section class={`${look} stack`} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint === undefined ? null : <p class="hint">{hint}</p>}
      {children}
    </section>
  )
}
