import type { Suggestion } from "../suggest.ts"
import type { useListBox } from "./useListBox.ts"

interface Props {
  readonly box: Pick<ReturnType<typeof useListBox<Suggestion>>, "list" | "option">
  readonly suggestions: ReadonlyArray<Suggestion>
}

/** The completions below the search field. */
export const SearchSuggestions = ({ box, suggestions }: Props) => (
  <div {...box.list} class="search-suggestions floating">
    {suggestions.map((suggestion, index) => (
      <div key={suggestion.text} {...box.option(index)}>
        <span dir="auto">{suggestion.label}</span>
        <span class="hint">{suggestion.detail}</span>
      </div>
    ))}
  </div>
)
