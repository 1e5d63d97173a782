import { useId, useState } from "preact/hooks"
import { highlightColours } from "../../../src/shared/HighlightParameters.ts"
import type { Highlight } from "../api.ts"
import { changeHighlight, colourNames, copyHighlightAddress, removeHighlight } from "../state/highlights.ts"
import { FormDialog } from "./FormDialog.tsx"

interface ColoursProps {
  readonly colour: Highlight["colour"]
  readonly onColour: (colour: Highlight["colour"]) => void
}

/** A choice of the four colours. */
const Colours = ({ colour, onColour }: ColoursProps) => (
  <fieldset class="row">
    <legend>Colour</legend>
    {highlightColours.map((one) => (
      <label key={one} class="highlight-choice" data-colour={one}>
        <input type="radio" name="highlight-colour" checked={one === colour} onChange={() => onColour(one)} />
        {colourNames[one]}
      </label>
    ))}
  </fieldset>
)

interface Props {
  readonly highlight: Highlight
  /** Called when it closes; `changed` says whether the highlight is another one now, or gone. */
  readonly onClose: (changed: boolean) => void
}

/** Edits a highlight: its colour and its note. */
export const HighlightDialog = ({ highlight, onClose }: Props) => {
  const id = useId()
  const [colour, setColour] = useState(highlight.colour)
  const [note, setNote] = useState(highlight.note)
  const isChanged = colour !== highlight.colour || note.trim() !== highlight.note
  const remove = async () => {
    if (await removeHighlight(highlight)) onClose(true)
  }
  return (
    <FormDialog
      title="Highlight"
      confirm="Save"
      isReady={isChanged}
      onSubmit={() => changeHighlight(highlight, { colour, note: note.trim() })}
      onClose={() => onClose(isChanged)}
    >
      <blockquote class="highlight-quote" data-colour={colour} dir="auto">
        {highlight.quote}
      </blockquote>
      <Colours colour={colour} onColour={setColour} />
      <div class="field">
        <label for={id}>Note</label>
        <textarea
          id={id}
          class="input"
          dir="auto"
          rows={4}
          value={note}
          onInput={({ currentTarget }) => setNote(currentTarget.value)}
        />
      </div>
      <p class="row">
        <button type="button" class="button" onClick={() => void copyHighlightAddress(highlight)}>
          Copy link
        </button>
        <button type="button" class="button" data-kind="danger" onClick={() => void remove()}>
          Remove
        </button>
      </p>
    </FormDialog>
  )
}
