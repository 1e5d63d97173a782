import type { Link } from "../api.ts"
import { needsService } from "../state/connection.ts"
import { open } from "../state/dialogs.ts"
import { refreshLink } from "../state/jobs.ts"
import { withParts } from "../state/lazy.ts"
import { navigate, readerHref } from "../state/route.ts"
import { Icon, type IconName } from "./Icon.tsx"

interface Control {
  readonly icon: IconName
  readonly name: string
  /** Its keyboard shortcut. */
  readonly key: string
  readonly run: () => void
}

/** The actions for a link in the trash. */
const trashControls = ({ id }: Link): ReadonlyArray<Control> => [
  {
    icon: "undo",
    name: "Restore",
    key: "z",
    run: () => void withParts(({ linkChanges }) => linkChanges.restoreLinks([id]))
  },
  {
    icon: "trash",
    name: "Delete forever…",
    key: "#",
    run: () => open({ kind: "deleteForever", ids: [id] })
  }
]

/** The actions for one link, except favorite and share. */
export const controlsOf = (link: Link): ReadonlyArray<Control> =>
  link.deletedAt === undefined ? libraryControls(link) : trashControls(link)

const libraryControls = ({ id, kept }: Link): ReadonlyArray<Control> => [
  ...(kept
    ? [{ icon: "read", name: "Read here", key: "v", run: () => navigate(readerHref(id)) } as const]
    : []),
  {
    icon: "folder",
    name: "File in a collection…",
    key: "m",
    run: () => open({ kind: "collection", ids: [id] })
  },
  { icon: "tag", name: "Category…", key: "c", run: () => open({ kind: "category", ids: [id] }) },
  { icon: "edit", name: "Edit…", key: "e", run: () => open({ kind: "edit", id }) },
  { icon: "refresh", name: "Read the page again", key: "r", run: () => void refreshLink(id) },
  {
    icon: "trash",
    name: "Delete",
    key: "#",
    run: () => void withParts(({ changes }) => changes.deleteLinks([id]))
  }
]

const Marks = ({ link }: { readonly link: Link }) => (
  <>
    <button
      type="button"
      class="icon-button"
      data-on="star"
      aria-pressed={link.favorite}
      title="Favorite (f)"
      aria-label="Favorite"
      {...needsService()}
      onClick={() => void withParts(({ changes }) => changes.setFavorite([link.id], !link.favorite))}
    >
      <Icon name="star" filled />
    </button>
    <button
      type="button"
      class="icon-button"
      aria-pressed={link.shareable}
      title="Share on the public list (s)"
      aria-label="Share on the public list"
      {...needsService()}
      onClick={() => void withParts(({ changes }) => changes.setShareable([link.id], !link.shareable))}
    >
      <Icon name="share" />
    </button>
  </>
)

interface ControlsProps {
  readonly link: Link
  /** Whether the card is pointed at or has the focus; otherwise only the button of the menu is rendered. */
  readonly isActive: boolean
}

/** The controls of a card: with a mouse, all appear on hover; on touch screens, one button opens them as a menu. */
export const CardControls = ({ isActive, link }: ControlsProps) => (
  <div class="card-controls">
    {isActive ? (
      <>
        {link.deletedAt === undefined ? <Marks link={link} /> : null}
        {controlsOf(link).map(({ icon, key, name, run }) => (
          <button
            key={key}
            type="button"
            class="icon-button"
            title={`${name} (${key})`}
            aria-label={name}
            {...needsService()}
            onClick={run}
          >
            <Icon name={icon} />
          </button>
        ))}
      </>
    ) : null}
    <button
      type="button"
      class="icon-button"
      data-control="more"
      title="More"
      aria-label={`More for ${link.title}`}
      aria-haspopup="dialog"
      onClick={() => open({ kind: "menu", id: link.id })}
    >
      <Icon name="more" />
    </button>
  </div>
)
