import type { ComponentChildren } from "preact"
import { useId, useState } from "preact/hooks"
import { MAX_ADDRESS, MAX_NOTE } from "../../../src/shared/Limits.ts"
import { isHttpUrl } from "../../../src/shared/WebAddress.ts"
import { api } from "../api.ts"
import type { Shared } from "../sharedText.ts"
import { refreshMeta } from "../state/meta.ts"
import { reasonOf } from "../state/toasts.ts"

interface Props {
  readonly initial: Shared
  /** The buttons shown once the link is saved; `again` empties the form. */
  readonly after: (again: () => void) => ComponentChildren
  /** Shown beside the Save button. */
  readonly beside?: ComponentChildren
  /** Called with whether there is unsaved input. */
  readonly onDirty?: (dirty: boolean) => void
}

/** The typed address, with `https://` added if it has no scheme; undefined if it is not a web address. */
const addressOf = (typed: string): string | undefined => {
  const text = typed.trim()
  const isWhole = isHttpUrl(text)
  const address = isWhole ? text : `https://${text}`
  // Another scheme would be parsed as a host; a host followed by a port has no scheme.
  if (!URL.canParse(address) || (!isWhole && /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text))) return undefined
  return isWhole || /[.:]/.test(new URL(address).host) ? address : undefined
}

/** The values of an empty form. */
export const EMPTY: Shared = { url: "", note: "", title: "" }

/** The form that saves a link, typed or passed on by another app; it saves only when submitted. */
export const AddForm = ({ after, beside, initial, onDirty }: Props) => {
  const id = useId()
  const [given, setGiven] = useState(initial)
  const [url, setUrl] = useState(initial.url)
  const [note, setNote] = useState(initial.note)
  const [problem, setProblem] = useState("")
  const [busy, setBusy] = useState(false)
  const [saved, setSaved] = useState("")

  const type = (change: () => void) => {
    change()
    setProblem("")
    onDirty?.(true)
  }
  const save = async () => {
    const address = addressOf(url)
    if (busy) return
    if (address === undefined) return setProblem("Enter a web address, for example https://example.org/page.")
    setBusy(true)
    setProblem("")
    try {
      const title = url.trim() === given.url ? given.title : ""
      const answer = await api.save({
        url: address,
        ...(note.trim() === "" ? {} : { note: note.trim() }),
        ...(title === "" ? {} : { title })
      })
      setSaved(answer.status === "saved" ? `Saved “${answer.title}”.` : "Saved. Still reading the page.")
      onDirty?.(false)
      refreshMeta()
    } catch (error) {
      setProblem(`Not saved. ${reasonOf(error)}`)
    }
    setBusy(false)
  }
  const again = () => {
    setGiven(EMPTY)
    setUrl("")
    setNote("")
    setSaved("")
  }

  if (saved !== "")
    return (
      <div class="add-form">
        <p class="add-saved" role="status" dir="auto">
          {saved}
        </p>
        <div class="dialog-actions">{after(again)}</div>
      </div>
    )
  return (
    <form
      class="add-form"
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
      {given.title === "" ? null : (
        <p class="hint" dir="auto">
          {given.title}
        </p>
      )}
      <div class="field">
        <label for={`${id}-url`}>Address</label>
        <input
          id={`${id}-url`}
          class="input"
          type="url"
          inputMode="url"
          autoComplete="off"
          autocapitalize="none"
          spellcheck={false}
          required
          maxLength={MAX_ADDRESS}
          readOnly={busy}
          aria-describedby={`${id}-problem`}
          aria-invalid={problem !== ""}
          value={url}
          onInput={({ currentTarget }) => type(() => setUrl(currentTarget.value))}
        />
      </div>
      <div class="field">
        <label for={`${id}-note`}>Note (optional)</label>
        <textarea
          id={`${id}-note`}
          class="input"
          dir="auto"
          rows={3}
          maxLength={MAX_NOTE}
          readOnly={busy}
          value={note}
          onInput={({ currentTarget }) => type(() => setNote(currentTarget.value))}
        />
      </div>
      <p id={`${id}-problem`} class="problem" role="alert">
        {problem}
      </p>
      <div class="dialog-actions">
        {beside}
        <button type="submit" class="button" data-kind="primary" disabled={busy} aria-busy={busy}>
          {busy ? "Saving…" : "Save"}
        </button>
      </div>
    </form>
  )
}
