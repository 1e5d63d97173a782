import type { Suggestion } from "../suggest.ts"

interface Props {
  readonly id: string
  readonly suggestions: ReadonlyArray<Suggestion>
  /** The index of the one that the keyboard stands on; -1 where it stands on none. */
  readonly active: number
  readonly onPick: (suggestion: Suggestion) => void
}

/** The id of an option in the list of that id. */
export const optionId = (list: string, index: number): string => `${list}-${index}`

/** What the search text can be completed to; the keys are the field's. */
export const Suggestions = ({ active, id, onPick, suggestions }: Props) => (
  <div id={id} class="search-suggestions" role="listbox" aria-label="Suggestions">
    {suggestions.map((suggestion, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and the keys.
      <div
        key={suggestion.text}
        id={optionId(id, index)}
        class="search-suggestion"
        role="option"
        aria-selected={index === active}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => onPick(suggestion)}
      >
        <span dir="auto">{suggestion.label}</span>
        <span class="hint">{suggestion.detail}</span>
      </div>
    ))}
  </div>
)
