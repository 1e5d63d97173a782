import type { ComponentChildren } from "preact"
import type { Meta } from "../api.ts"
import { Icon } from "./Icon.tsx"

/** Props of a step of the first run. */
export interface SetupProps {
  /** The service's address, without a trailing slash. */
  readonly base: string
  readonly setup: Meta["setup"]
}

interface DoneProps {
  readonly done: boolean
  readonly children: ComponentChildren
}

/** A part of a step, with a check mark once it is done. */
export const Part = ({ children, done }: DoneProps) => (
  <li class="part" data-done={done}>
    <span class="part-mark">
      {done ? <Icon name="check" /> : null}
      <span class="visually-hidden">{done ? "Done:" : "To do:"}</span>
    </span>
    <div>{children}</div>
  </li>
)

/** A part whose completion the service cannot detect. */
export const Untold = ({ children }: Pick<DoneProps, "children">) => (
  <li class="part">
    <span class="part-mark" />
    <div>{children}</div>
  </li>
)

/** A way to add links, with a check mark once it is set up. */
export const Step = ({
  children,
  done,
  open = false,
  title
}: DoneProps & { readonly title: string; readonly open?: boolean }) => (
  <details class="step" data-done={done} name="first-run" open={open}>
    <summary>
      <h3>{title}</h3>
      {done ? (
        <span class="step-done">
          <Icon name="check" /> Ready
        </span>
      ) : null}
    </summary>
    <div class="step-body">{children}</div>
  </details>
)
