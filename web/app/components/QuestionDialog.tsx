import { question } from "../state/dialogs.ts"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"

const close = () => {
  question.value = null
}

/** The open question; Escape and Enter answer it with no. */
export const QuestionDialog = () => {
  const now = question.value
  if (now === null) return null
  return (
    <Dialog title={now.title} onClose={close}>
      <p>{now.text}</p>
      <div class="row end">
        <Button data-autofocus onClick={close}>
          {now.cancel}
        </Button>
        <Button
          kind="danger"
          onClick={() => {
            close()
            now.run()
          }}
        >
          {now.confirm}
        </Button>
      </div>
    </Dialog>
  )
}
