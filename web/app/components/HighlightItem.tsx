import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { highlightColours } from "../../../src/shared/HighlightParameters.ts"
import { MAX_HIGHLIGHT_NOTE } from "../../../src/shared/Limits.ts"
import type { Highlight } from "../api.ts"
import { changeHighlight, colourNames, copyHighlightAddress, removeHighlight } from "../state/highlights.ts"
import { Button, IconButton } from "./Button.tsx"
import { TextField } from "./Fields.tsx"
import { FormDialog } from "./FormDialog.tsx"

interface ItemProps {
  readonly highlight: Highlight
  /** The passage, usually as a link or a button that leads to its place. */
  readonly children: ComponentChildren
  /** What is known beside the colour. */
  readonly facts?: ComponentChildren
  readonly onEdit: () => void
}

/** A highlight in a list: the passage, its note, its colour by name. */
export const HighlightItem = ({ children, facts, highlight, onEdit }: ItemProps) => (
  <li class="highlight stack" data-colour={highlight.colour}>
    <div class="highlight-quote" data-colour={highlight.colour} dir="auto">
      {children}
    </div>
    {highlight.note === "" ? null : (
      <p class="prewrap" dir="auto">
        {highlight.note}
      </p>
    )}
    <p class="row hint">
      <span>{colourNames[highlight.colour]}</span>
      {facts}
      <IconButton icon="edit" label="Edit this highlight" title="Edit" onClick={onEdit} />
    </p>
  </li>
)

interface ColoursProps {
  readonly colour: Highlight["colour"]
  readonly onColour: (colour: Highlight["colour"]) => void
}

const Colours = ({ colour, onColour }: ColoursProps) => (
  <fieldset class="row">
    <legend>Colour</legend>
    {highlightColours.map((one) => (
      <label key={one} class="highlight-choice row" data-colour={one}>
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
      <TextField label="Note" rows={4} maxLength={MAX_HIGHLIGHT_NOTE} value={note} onValue={setNote} />
      <p class="row">
        <Button onClick={() => void copyHighlightAddress(highlight)}>Copy link</Button>
        <Button kind="danger" onClick={() => void remove()}>
          Remove
        </Button>
      </p>
    </FormDialog>
  )
}
