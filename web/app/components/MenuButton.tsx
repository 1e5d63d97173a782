import type { Link } from "../api.ts"
import { open } from "../state/dialogs.ts"
import { Icon } from "./Icon.tsx"

/** The button that opens the menu of a link. */
export const MenuButton = ({ link: { id, title } }: { readonly link: Link }) => (
  <button
    type="button"
    class="icon-button"
    data-control="more"
    title="More"
    aria-label={`More for ${title}`}
    aria-haspopup="menu"
    onClick={({ currentTarget }) => open({ kind: "menu", id, from: currentTarget })}
  >
    <Icon name="more" />
  </button>
)
