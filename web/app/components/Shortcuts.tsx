import { type Command, commands } from "../commands.ts"
import { close, dialog } from "../state/dialogs.ts"
import { shortcuts } from "../state/preferences.ts"
import { Dialog, DialogHeader } from "./Dialog.tsx"
import { isApple, KeyNames } from "./KeyNames.tsx"

const groups = [...Map.groupBy(commands, ({ group }) => group)]

const Keys = ({ keys = [] }: Pick<Command, "keys">) => (
  <>
    {keys.map((key, at) => (
      <span key={key}>
        {at === 0 ? null : <span class="hint"> or </span>}
        <KeyNames keys={key} />
      </span>
    ))}
  </>
)

const Group = ({ all, name }: { readonly name: string; readonly all: ReadonlyArray<Command> }) => (
  <section>
    <h3>{name}</h3>
    <dl>
      {all.map((command) =>
        command.keys === undefined ? null : (
          <div key={command.name}>
            <dt>{command.name}</dt>
            <dd>
              <Keys keys={command.keys} />
            </dd>
          </div>
        )
      )}
    </dl>
  </section>
)

/** The switch for single-key shortcuts. */
export const ShortcutSwitch = () => (
  <label class="shortcuts-switch">
    <input
      type="checkbox"
      checked={shortcuts.value === "on"}
      onChange={({ currentTarget }) => {
        shortcuts.value = currentTarget.checked ? "on" : "off"
      }}
    />
    <span>
      Single keys are commands
      <span class="hint">
        When off, only the arrow keys, Enter, Esc and combinations with {isApple ? "⌘" : "Ctrl"} work.
      </span>
    </span>
  </label>
)

/** All commands with a shortcut, by group. */
export const ShortcutGroups = () => (
  <div class="shortcuts-groups">
    {groups.map(([name, all]) => (
      <Group key={name} name={name} all={all} />
    ))}
  </div>
)

/** The list of keyboard shortcuts, with the switch for single-key shortcuts. */
export const Shortcuts = () =>
  dialog.value?.kind === "shortcuts" ? (
    <Dialog label="Keyboard shortcuts" onClose={close} class="shortcuts">
      <DialogHeader title="Keyboard shortcuts" onClose={close} />
      <ShortcutSwitch />
      <ShortcutGroups />
    </Dialog>
  ) : null
