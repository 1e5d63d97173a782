import { needsService } from "../state/connection.ts"
import { open } from "../state/dialogs.ts"
import { listing } from "../state/list.ts"
import { route } from "../state/route.ts"
import { clearSelection, selected, selecting, startSelecting } from "../state/selection.ts"
import { focusSearch } from "./focus.ts"
import { Icon, type IconName } from "./Icon.tsx"

interface ItemProps {
  readonly icon: IconName
  readonly name: string
  readonly run: () => unknown
  readonly attributes?: Readonly<Record<string, string | boolean | undefined>>
}

const Item = ({ attributes, icon, name, run }: ItemProps) => (
  <li>
    <button type="button" {...attributes} onClick={() => void run()}>
      <Icon name={icon} />
      {name}
    </button>
  </li>
)

const popup = { "aria-haspopup": "dialog" }

/** The bar at the bottom of a phone, within reach of a thumb. The bar of the selection takes its place. */
export const BottomBar = () => {
  if (selected.value.size > 0) return null
  const hasLinks = route.value.page === "library" && (listing.value?.ids.length ?? 0) > 0
  return (
    <nav class="bottom" aria-label="Actions">
      <ul>
        <Item icon="menu" name="Library" run={() => open({ kind: "sidebar" })} attributes={popup} />
        <Item icon="search" name="Search" run={focusSearch} />
        <Item
          icon="plus"
          name="Add"
          run={() => open({ kind: "add" })}
          attributes={{ ...popup, ...needsService() }}
        />
        <Item
          icon="check"
          name={selecting.value ? "Cancel" : "Select"}
          run={selecting.value ? clearSelection : startSelecting}
          attributes={{ "aria-pressed": selecting.value, "aria-disabled": hasLinks ? undefined : true }}
        />
        <Item icon="more" name="More" run={() => open({ kind: "more" })} attributes={popup} />
      </ul>
    </nav>
  )
}
