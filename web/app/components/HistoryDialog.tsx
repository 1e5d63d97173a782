import { close } from "../state/dialogs.ts"
import { done, redo, type Step, undo, undone } from "../state/history.ts"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { KeyNames } from "./KeyNames.tsx"

interface RowProps {
  readonly step: Step
  readonly isUndone: boolean
}

const Row = ({ isUndone, step }: RowProps) => (
  <li class="history-step spread" data-undone={isUndone}>
    <span dir="auto">
      {step.name}
      {isUndone ? <span class="hint"> undone</span> : null}
    </span>
    <Button needsService onClick={() => void (isUndone ? redo(step) : undo(step))}>
      {isUndone ? "Redo" : "Undo"}
      <span class="visually-hidden">: {step.name}</span>
    </Button>
  </li>
)

/** The changes made in this tab, the latest first, each with a button that undoes or redoes it. */
export const HistoryDialog = () => {
  const steps = [
    ...undone.value.map((step) => ({ step, isUndone: true })),
    ...done.value.toReversed().map((step) => ({ step, isUndone: false }))
  ]
  return (
    <Dialog
      title="Changes made here"
      onClose={close}
      about={
        <p class="hint">
          In this tab, the latest first. <KeyNames keys="Mod+z" /> undoes, <KeyNames keys="Mod+Shift+z" />{" "}
          redoes.
        </p>
      }
    >
      {steps.length === 0 ? (
        <p class="hint">Nothing has been changed yet.</p>
      ) : (
        <ol class="divided">
          {steps.map(({ isUndone, step }, at) => (
            <Row key={`${at} ${step.name}`} step={step} isUndone={isUndone} />
          ))}
        </ol>
      )}
    </Dialog>
  )
}
