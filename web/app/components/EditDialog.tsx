import type { ReadonlySignal } from "@preact/signals"
import { useRef, useState } from "preact/hooks"
import type { Link } from "../api.ts"
import { editTexts } from "../state/changes.ts"
import { close } from "../state/dialogs.ts"
import { Dialog, focusOnMount } from "./Dialog.tsx"
import { changedTexts, LIMITS, problemOf, roomLeft, roomText, type Texts } from "./texts.ts"

const textsOf = ({ summary, title }: Link): Texts => ({ title, summary })

const Counter = ({
  id,
  limit,
  text
}: {
  readonly id: string
  readonly limit: number
  readonly text: string
}) => {
  const left = roomLeft(text, limit)
  return (
    <span id={id} class={left !== null && left < 0 ? "problem" : "hint"} aria-live="polite">
      {left === null ? "" : roomText(left)}
    </span>
  )
}

interface ActionsProps {
  readonly busy: boolean
  /** Whether to ask if unsaved changes should be discarded. */
  readonly asking: boolean
  readonly onCancel: () => void
  readonly onKeep: () => void
}

const Actions = ({ asking, busy, onCancel, onKeep }: ActionsProps) =>
  asking ? (
    <div class="dialog-actions">
      <strong class="dialog-question" role="alert">
        Discard changes?
      </strong>
      <button type="button" class="button" ref={focusOnMount} onClick={onKeep}>
        Keep editing
      </button>
      <button type="button" class="button" data-kind="danger" onClick={close}>
        Discard
      </button>
    </div>
  ) : (
    <div class="dialog-actions">
      <button type="button" class="button" disabled={busy} onClick={onCancel}>
        Cancel
      </button>
      <button type="submit" class="button" data-kind="primary" disabled={busy} aria-busy={busy}>
        {busy ? "Saving…" : "Save"}
      </button>
    </div>
  )

/** Edits a link's title and summary. */
export const EditDialog = ({ link }: { readonly link: ReadonlySignal<Link> }) => {
  const [base, setBase] = useState(() => textsOf(link.value))
  const [texts, setTexts] = useState(base)
  const [problem, setProblem] = useState("")
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const title = useRef<HTMLInputElement>(null)
  const changed = changedTexts(base, texts)
  const isChanged = Object.keys(changed).length > 0
  const elsewhere = busy ? {} : changedTexts(base, textsOf(link.value))
  const names = Object.keys(elsewhere)

  const mayClose = () => {
    if (busy) return false
    if (isChanged) setAsking(true)
    return !isChanged
  }
  const save = async () => {
    const wrong = problemOf(texts)
    setProblem(wrong ?? "")
    if (busy || wrong !== undefined) return
    if (!isChanged) return close()
    setBusy(true)
    const refused = await editTexts(link.peek().id, changed)
    if (refused === undefined) return close()
    setBusy(false)
    setProblem(`Not saved. ${refused}`)
  }
  const showNewTexts = () => {
    setBase(textsOf(link.peek()))
    setTexts({ ...texts, ...elsewhere })
    title.current?.focus()
  }
  const type = (text: Partial<Texts>) => {
    setTexts({ ...texts, ...text })
    setAsking(false)
  }

  return (
    <Dialog label="Edit title and summary" guard={mayClose} onClose={close}>
      <form
        class="dialog-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void save()
        }}
      >
        <header>
          <h2>Edit title and summary</h2>
          <p class="hint">{link.value.host}</p>
        </header>
        <div class="field">
          <label for="edit-title">Title</label>
          <input
            id="edit-title"
            ref={title}
            class="input"
            dir="auto"
            autoComplete="off"
            required
            readOnly={busy}
            aria-describedby="edit-title-room edit-problem"
            value={texts.title}
            onInput={(event) => type({ title: event.currentTarget.value })}
          />
          <Counter id="edit-title-room" limit={LIMITS.title} text={texts.title} />
        </div>
        <div class="field">
          <label for="edit-summary">Summary</label>
          <textarea
            id="edit-summary"
            class="input"
            dir="auto"
            rows={7}
            readOnly={busy}
            aria-describedby="edit-summary-room edit-problem"
            value={texts.summary}
            onInput={(event) => type({ summary: event.currentTarget.value })}
          />
          <Counter id="edit-summary-room" limit={LIMITS.summary} text={texts.summary} />
        </div>
        <p class="hint" role="status">
          {names.length === 0 ? null : (
            <>
              This link was changed elsewhere:{" "}
              <button type="button" class="link-button" onClick={showNewTexts}>
                show its new {names.join(" and ")}
              </button>
            </>
          )}
        </p>
        <p id="edit-problem" class="problem" role="alert">
          {problem}
        </p>
        <Actions
          busy={busy}
          asking={asking}
          onCancel={() => mayClose() && close()}
          onKeep={() => {
            setAsking(false)
            title.current?.focus()
          }}
        />
      </form>
    </Dialog>
  )
}
