/** @jsxImportSource preact */
import type { ComponentChildren, InputHTMLAttributes } from "preact"
import { useId } from "preact/hooks"
import type { Task } from "./useTask.ts"

/** The line below a form or a button: its failure, or else a hint. It is always there, so that nothing moves. */
export const Outcome = ({
  hint,
  id,
  task
}: {
  readonly task: Task
  readonly id?: string
  readonly hint?: ComponentChildren
}) => (
  <div id={id} class="outcome">
    <p class="problem" role="alert">
      {task.problem}
    </p>
    <p class="hint" role="status">
      {task.isWaiting ? "Waiting for the service…" : ""}
    </p>
    {task.problem === "" && !task.isWaiting && hint !== undefined ? <p class="hint">{hint}</p> : null}
  </div>
)

interface SubmitProps {
  readonly task: Task
  readonly isPrimary?: boolean
  readonly children: ComponentChildren
}

/** The button of a form. It keeps the focus while its task runs. */
export const Submit = ({ children, isPrimary = false, task }: SubmitProps) => (
  <button
    type="submit"
    class="button"
    data-kind={isPrimary ? "primary" : undefined}
    aria-busy={task.isBusy}
    aria-disabled={task.isBusy}
  >
    {children}
  </button>
)

interface FormProps {
  readonly label: string
  readonly task: Task
  readonly onSubmit: () => void
  readonly children: ComponentChildren
}

/** A form that scripts send. */
export const Form = ({ children, label, onSubmit, task }: FormProps) => (
  <form
    class="stack"
    aria-label={label}
    // Without scripts nothing may be sent: a password must not appear in an address.
    method="post"
    noValidate
    onSubmit={(event) => {
      event.preventDefault()
      if (!task.isBusy) onSubmit()
    }}
  >
    {children}
  </form>
)

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly input?: InputHTMLAttributes
  /** The id of the element that describes the field or its problem. */
  readonly describedBy?: string | undefined
  readonly isInvalid?: boolean
}

/** A labelled field for one line of text. */
export const Field = ({ describedBy, input = {}, isInvalid = false, label, onValue, value }: FieldProps) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...input}
        id={id}
        class="input"
        aria-invalid={isInvalid}
        aria-describedby={describedBy}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </div>
  )
}
