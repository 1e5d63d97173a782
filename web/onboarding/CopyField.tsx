/** @jsxImportSource preact */
import { useId, useState } from "preact/hooks"
import { copyText } from "../app/copyText.ts"

interface CopyFieldProps {
  readonly label: string
  readonly text: string
}

/** A text to copy, in a field from which it can be copied by hand too. */
export const CopyField = ({ label, text }: CopyFieldProps) => {
  const id = useId()
  const [outcome, setOutcome] = useState("")
  const copy = () =>
    copyText(text).then(
      () => setOutcome("Copied."),
      () => setOutcome("Not copied. Select the text and copy it.")
    )
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="copy-field">
        <input
          id={id}
          class="input"
          readOnly
          value={text}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" class="button" onClick={() => void copy()}>
          Copy
        </button>
      </div>
      <p class="hint" role="status">
        {outcome}
      </p>
    </div>
  )
}
