import type { ComponentChildren } from "preact"
import type { Link } from "../api.ts"
import { copyText } from "../copyText.ts"
import { openExternal } from "../externalLink.ts"
import { setFavorite, setShareable } from "../state/changes.ts"
import { needsService } from "../state/connection.ts"
import { openDetail } from "../state/detail.ts"
import { close, dialog, open } from "../state/dialogs.ts"
import { linkOf } from "../state/entities.ts"
import { setState } from "../state/linkChanges.ts"
import { hrefOf } from "../state/route.ts"
import { tell, tellFailure } from "../state/toasts.ts"
import { controlsOf } from "./CardControls.tsx"
import { Dialog } from "./Dialog.tsx"
import { Icon, type IconName } from "./Icon.tsx"
import { states } from "./StateButtons.tsx"

/** Copies a link's address, and says so. */
export const copyAddress = async (link: Link): Promise<void> => {
  try {
    await copyText(link.url)
    tell("Address copied.")
  } catch (error) {
    tellFailure("Could not copy the address.", error)
  }
}

interface ItemProps {
  readonly icon: IconName
  readonly run: () => void
  /** Whether it works without the service. */
  readonly isLocal?: true
  readonly children: ComponentChildren
}

const Item = ({ children, icon, isLocal, run }: ItemProps) => (
  <li>
    <button
      type="button"
      class="menu-item"
      {...(isLocal ? {} : needsService())}
      onClick={() => {
        close()
        run()
      }}
    >
      <Icon name={icon} />
      {children}
    </button>
  </li>
)

/** The menu with all actions for one link, for touch screens, which cannot hover. */
export const CardMenu = () => {
  const now = dialog.value
  const link = now?.kind === "menu" ? linkOf(now.id)?.value : undefined
  if (link === undefined) return null
  return (
    <Dialog label={link.title} onClose={close} class="menu-dialog">
      <h2 dir="auto">{link.title}</h2>
      <ul class="menu">
        <Item icon="link" isLocal run={() => openExternal(link.url)}>
          Open
        </Item>
        {link.deletedAt === undefined ? (
          <>
            <Item icon="star" run={() => void setFavorite([link.id], !link.favorite)}>
              {link.favorite ? "Remove from favorites" : "Favorite"}
            </Item>
            <Item icon="share" run={() => void setShareable([link.id], !link.shareable)}>
              {link.shareable ? "Make private" : "Share on the public list"}
            </Item>
            {states
              .filter(({ state }) => state !== link.state)
              .map(({ icon, name, state }) => (
                <Item key={state} icon={icon} run={() => void setState([link.id], state)}>
                  {name}
                </Item>
              ))}
            <Item icon="tag" run={() => open({ kind: "tags", ids: [link.id] })}>
              Tags…
            </Item>
          </>
        ) : null}
        <Item icon="cards" isLocal run={() => openDetail(link.id)}>
          Details
        </Item>
        {controlsOf(link).map(({ icon, name, run }) => (
          <Item key={name} icon={icon} run={run}>
            {name}
          </Item>
        ))}
        <li>
          <a class="menu-item" href={hrefOf({ q: "", like: link.id })} onClick={close}>
            <Icon name="similar" />
            Show similar links
          </a>
        </li>
        <Item icon="copy" isLocal run={() => void copyAddress(link)}>
          Copy the address
        </Item>
      </ul>
    </Dialog>
  )
}
