import type { Link } from "../api.ts"
import { needsService } from "../state/connection.ts"
import { setState } from "../state/linkChanges.ts"
import { Icon, type IconName } from "./Icon.tsx"

interface Choice {
  readonly state: Link["state"]
  readonly icon: IconName
  readonly label: string
}

const states: ReadonlyArray<Choice> = [
  { state: "unread", icon: "unread", label: "Unread" },
  { state: "read", icon: "check", label: "Read" },
  { state: "archived", icon: "archive", label: "Archived" }
]

/** The state of a link, as buttons that change it. */
export const StateButtons = ({ id, state: now }: Pick<Link, "id" | "state">) => (
  <fieldset class="segments" aria-label="State">
    {states.map(({ icon, label, state }) => (
      <button
        key={state}
        type="button"
        class="segment"
        aria-pressed={state === now}
        {...needsService()}
        onClick={() => {
          if (state !== now) void setState([id], state)
        }}
      >
        <Icon name={icon} />
        {label}
      </button>
    ))}
  </fieldset>
)
