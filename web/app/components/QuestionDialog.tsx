import { question } from "../state/dialogs.ts"
import { Dialog } from "./Dialog.tsx"

const close = () => {
  question.value = null
}

/** The open question; Escape and Enter answer it with no. */
export const QuestionDialog = () => {
  const now = question.value
  if (now === null) return null
  return (
    <Dialog label={now.title} onClose={close}>
      <h2>{now.title}</h2>
      <p>{now.text}</p>
      <div class="row end">
        <button type="button" class="button" data-autofocus onClick={close}>
          {now.cancel}
        </button>
        <button
          type="button"
          class="button"
          data-kind="danger"
          onClick={() => {
            close()
            now.run()
          }}
        >
          {now.confirm}
        </button>
      </div>
    </Dialog>
  )
}
