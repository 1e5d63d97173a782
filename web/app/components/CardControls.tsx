import type { Link } from "../api.ts"
import { setFavorite, setShareable } from "../state/changes.ts"
import { open } from "../state/dialogs.ts"
import { refreshLink } from "../state/jobs.ts"
import { Icon, type IconName } from "./Icon.tsx"

interface Control {
  readonly icon: IconName
  readonly name: string
  /** Its keyboard shortcut. */
  readonly key: string
  readonly run: () => void
}

/** The actions for one link, except favorite and share. */
export const controlsOf = ({ id }: Link): ReadonlyArray<Control> => [
  {
    icon: "folder",
    name: "File in a collection…",
    key: "m",
    run: () => open({ kind: "collection", ids: [id] })
  },
  { icon: "tag", name: "Category…", key: "c", run: () => open({ kind: "category", ids: [id] }) },
  { icon: "edit", name: "Edit title and summary…", key: "e", run: () => open({ kind: "edit", id }) },
  { icon: "refresh", name: "Read the page again", key: "r", run: () => void refreshLink(id) },
  { icon: "trash", name: "Delete…", key: "#", run: () => open({ kind: "delete", ids: [id] }) }
]

/** The controls of a card: with a mouse, all appear on hover; on touch screens, one button opens them as a menu. */
export const CardControls = ({ link }: { readonly link: Link }) => (
  <div class="card-controls">
    <button
      type="button"
      class="icon-button"
      data-on="star"
      aria-pressed={link.favorite}
      title="Favorite (f)"
      onClick={() => void setFavorite([link.id], !link.favorite)}
    >
      <Icon name="star" filled />
      <span class="visually-hidden">Favorite</span>
    </button>
    <button
      type="button"
      class="icon-button"
      aria-pressed={link.shareable}
      title="Share on the public list (s)"
      onClick={() => void setShareable([link.id], !link.shareable)}
    >
      <Icon name="share" />
      <span class="visually-hidden">Share on the public list</span>
    </button>
    {controlsOf(link).map(({ icon, key, name, run }) => (
      <button key={key} type="button" class="icon-button" title={`${name} (${key})`} onClick={run}>
        <Icon name={icon} />
        <span class="visually-hidden">{name}</span>
      </button>
    ))}
    <button
      type="button"
      class="icon-button"
      data-control="more"
      title="More"
      aria-haspopup="dialog"
      onClick={() => open({ kind: "menu", id: link.id })}
    >
      <Icon name="more" />
      <span class="visually-hidden">More for {link.title}</span>
    </button>
  </div>
)
