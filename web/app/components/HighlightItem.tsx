import type { ComponentChildren } from "preact"
import type { Highlight } from "../api.ts"
import { colourNames } from "../state/highlights.ts"
import { Icon } from "./Icon.tsx"

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
      <button type="button" class="icon-button" title="Edit" onClick={onEdit}>
        <Icon name="edit" />
        <span class="visually-hidden">Edit this highlight</span>
      </button>
    </p>
  </li>
)
