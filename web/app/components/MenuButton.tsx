import type { Link } from "../api.ts"
import { open } from "../state/dialogs.ts"
import { IconButton } from "./Button.tsx"

export const MenuButton = ({ link: { id, title } }: { readonly link: Link }) => (
  <IconButton
    icon="more"
    label={`More for ${title}`}
    data-control="more"
    title="More"
    aria-haspopup="menu"
    onClick={({ currentTarget }) => open({ kind: "menu", id, from: currentTarget })}
  />
)
