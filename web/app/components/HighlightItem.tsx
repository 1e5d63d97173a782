import type { ComponentChildren } from "preact"
import type { Highlight } from "../api.ts"
import { colourNames } from "../state/highlights.ts"
import { IconButton } from "./Button.tsx"

interface Props {
  readonly highlight: Highlight
  /** The passage, usually as a link or a button that leads to its place. */
  readonly children: ComponentChildren
  /** What is known beside the colour. */
  readonly facts?: ComponentChildren
  readonly onEdit: () => void
}

/** A highlight in a list: the passage, its note, its colour by name. */
export const HighlightItem = ({ children, facts, highlight, onEdit }: Props) => (
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
