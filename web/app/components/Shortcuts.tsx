import { type Action, actions } from "../actions/registry.ts"
import { close } from "../state/dialogs.ts"
import { shortcuts } from "../state/preferences.ts"
import { Dialog } from "./Dialog.tsx"
import { Switch } from "./Fields.tsx"
import { isApple, KeyNames } from "./KeyNames.tsx"

const groups = ["Move", "Links", "Selection", "Go to", "Library", "Reader"] as const

/** The actions of a group that have keys, those with the same keys as one. */
const shortcutsOf = (name: Action["group"]) => [
  ...Map.groupBy(
    actions.value.filter(({ group, keys = [] }) => group === name && keys.length > 0),
    ({ keys }) => keys?.join()
  ).values()
]

const Shortcut = ({ same: [first, ...others] }: { readonly same: ReadonlyArray<Action> }) => (
  <div>
    <dt>{[first, ...others].map((one) => one?.name).join(" / ")}</dt>
    <dd>
      {first?.keys?.map((keys, at) => (
        <span key={keys}>
          {at === 0 ? null : <span class="hint"> or </span>}
          <KeyNames keys={keys} />
        </span>
      ))}
    </dd>
  </div>
)

export const ShortcutSwitch = () => (
  <Switch name="Single keys are commands" setting={shortcuts}>
    When off, only the arrow keys, Enter, Esc and combinations with {isApple ? "⌘" : "Ctrl"} work.
  </Switch>
)

export const Shortcuts = () => (
  <Dialog title="Keyboard shortcuts" onClose={close} class="shortcuts">
    <ShortcutSwitch />
    <div class="shortcuts-groups">
      {groups.map((name) => (
        <section key={name}>
          <h3 class="hint">{name}</h3>
          <dl>
            {shortcutsOf(name).map((same) => (
              <Shortcut key={same[0]?.name} same={same} />
            ))}
          </dl>
        </section>
      ))}
    </div>
  </Dialog>
)
