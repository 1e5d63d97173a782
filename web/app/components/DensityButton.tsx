import { layoutOf, toggleDensity } from "../state/display.ts"
import { currentFilters } from "../state/route.ts"
import { Icon } from "./Icon.tsx"

/** Switches between cards and compact rows. */
export const DensityButton = () => {
  const isRows = layoutOf(currentFilters()) === "rows"
  return (
    <button
      type="button"
      class="icon-button"
      title="Compact rows (Shift+D)"
      aria-pressed={isRows}
      onClick={toggleDensity}
    >
      <Icon name={isRows ? "cards" : "rows"} />
      <span class="visually-hidden">Compact rows</span>
    </button>
  )
}
