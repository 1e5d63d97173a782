import { commands } from "../commands.ts"
import { close, dialog } from "../state/dialogs.ts"
import { Dialog, DialogHeader } from "./Dialog.tsx"
import { Icon, type IconName } from "./Icon.tsx"

/** The commands of the menu, by name. */
const entries: ReadonlyArray<readonly [name: string, icon: IconName]> = [
  ["Unread links", "unread"],
  ["Archive", "archive"],
  ["Trash", "trash"],
  ["Undo", "undo"],
  ["Redo", "redo"],
  ["Changes made here…", "clock"],
  ["Cards or rows", "rows"],
  ["Theme: system, light or dark", "auto"],
  ["Find duplicates", "copies"],
  ["Organize…", "folder"],
  ["Recategorize…", "tag"],
  ["Import a file…", "upload"],
  ["Export as JSON, HTML or CSV…", "download"],
  ["Commands", "keyboard"],
  ["Keyboard shortcuts", "keyboard"]
]

const Item = ({ icon, name }: { readonly name: string; readonly icon: IconName }) => {
  const command = commands.find((one) => one.name === name)
  if (command === undefined) return null
  return (
    <li>
      <button
        type="button"
        class="menu-item"
        aria-disabled={command.isAvailable?.() === false ? true : undefined}
        onClick={() => {
          close()
          command.run()
        }}
      >
        <Icon name={icon} />
        {name}
      </button>
    </li>
  )
}

/** The menu behind *More* in the bar of a phone. */
export const MoreMenu = () =>
  dialog.value?.kind === "more" ? (
    <Dialog label="More" onClose={close} class="menu-dialog">
      <DialogHeader title="More" onClose={close} />
      <p class="hint">Swipe a link to the right to favorite it, to the left to file it.</p>
      <ul class="menu">
        {entries.map(([name, icon]) => (
          <Item key={name} name={name} icon={icon} />
        ))}
      </ul>
    </Dialog>
  ) : null
