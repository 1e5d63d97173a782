import { actionCalled } from "../actions/registry.ts"
import { close } from "../state/dialogs.ts"
import { Dialog } from "./Dialog.tsx"
import { MenuItem } from "./MenuItem.tsx"

const names = [
  "Unread links",
  "Archived links",
  "Trash",
  "Undo",
  "Redo",
  "Changes made here…",
  "Cards or rows",
  "Theme: system, light or dark",
  "Find duplicates",
  "Organize…",
  "Recategorize…",
  "Import a file…",
  "Export as JSON, HTML or CSV…",
  "Commands",
  "Keyboard shortcuts"
]

const Item = ({ name }: { readonly name: string }) => {
  const action = actionCalled(name)
  if (action === undefined) return null
  const { icon, isAvailable, perform } = action
  return (
    <li>
      <MenuItem
        icon={icon}
        isLocal
        aria-disabled={isAvailable?.() === false ? true : undefined}
        run={() => {
          close()
          perform()
        }}
      >
        {name}
      </MenuItem>
    </li>
  )
}

export const MoreMenu = () => (
  <Dialog title="More" onClose={close} class="menu-dialog">
    <p class="hint">Swipe a link to the right to favorite it, to the left to file it.</p>
    <ul class="menu">
      {names.map((name) => (
        <Item key={name} name={name} />
      ))}
    </ul>
  </Dialog>
)
