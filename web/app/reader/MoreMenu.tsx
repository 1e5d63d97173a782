import { copyAddress } from "../components/CardMenu.tsx"
import { Icon } from "../components/Icon.tsx"
import { states } from "../components/StateButtons.tsx"
import { setFavorite } from "../state/changes.ts"
import { refreshLink } from "../state/jobs.ts"
import { setState } from "../state/linkChanges.ts"
import { useFramePopover } from "./framePopover.ts"
import { MENU, MenuItem } from "./MenuItem.tsx"
import { type PartProps, parts } from "./parts.ts"

/** The kept page as files, to be read elsewhere. */
const Downloads = ({ link }: Pick<PartProps, "link">) => (
  <>
    {[
      { ending: "epub", name: "Download as EPUB" },
      { ending: "md", name: "Download as Markdown" }
    ].map(({ ending, name }) => (
      <li key={ending}>
        <a class="menu-item" href={`/dashboard/api/links/${link.id}/page.${ending}`} download>
          <Icon name="download" />
          {name}
        </a>
      </li>
    ))}
  </>
)

/** The menu of everything else that can be done with the page and its link. */
export const MoreMenu = ({ frame, link }: PartProps & { readonly link: PartProps["link"] }) => {
  const menu = useFramePopover()
  return (
    <>
      <button type="button" class="icon-button" title="More" popovertarget={MENU} aria-haspopup="dialog">
        <Icon name="more" />
        <span class="visually-hidden">More</span>
      </button>
      <div
        ref={menu}
        id={MENU}
        class="reader-panel reader-menu"
        popover="auto"
        role="dialog"
        aria-label="More"
      >
        <ul class="menu">
          {parts.map(({ Items, name }) =>
            Items === undefined ? null : <Items key={name} link={link} frame={frame} />
          )}
          {link.deletedAt === undefined ? (
            <>
              <MenuItem icon="star" run={() => void setFavorite([link.id], !link.favorite)}>
                {link.favorite ? "Remove from favorites" : "Favorite"}
              </MenuItem>
              {states
                .filter(({ state }) => state !== link.state)
                .map(({ icon, name, state }) => (
                  <MenuItem key={state} icon={icon} run={() => void setState([link.id], state)}>
                    {name}
                  </MenuItem>
                ))}
              <MenuItem icon="refresh" run={() => void refreshLink(link.id)}>
                Read the page again
              </MenuItem>
              <li>
                <a class="menu-item" href={`/dashboard?link=${link.id}`}>
                  <Icon name="cards" />
                  Details
                </a>
              </li>
            </>
          ) : null}
          {link.kept ? <Downloads link={link} /> : null}
          <MenuItem icon="copy" isLocal run={() => void copyAddress(link)}>
            Copy the address
          </MenuItem>
        </ul>
      </div>
    </>
  )
}
