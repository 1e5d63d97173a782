import { useState } from "preact/hooks"
import { dayText } from "../../../src/shared/Format.ts"
import { actionsOn } from "../actions/registry.ts"
import { api } from "../api.ts"
import { IconButton } from "../components/Button.tsx"
import { MenuItem, MenuLink } from "../components/MenuItem.tsx"
import { useLoaded } from "../components/useLoaded.tsx"
import { type PartProps, parts } from "./parts.ts"
import { useFramePopover } from "./useFramePopover.ts"

const MENU = "reader-more"

/** The kept page as files, to be read elsewhere. */
const Downloads = ({ link }: Pick<PartProps, "link">) => (
  <>
    {[
      { ending: "epub", name: "Download as EPUB" },
      { ending: "md", name: "Download as Markdown" }
    ].map(({ ending, name }) => (
      <li key={ending}>
        <MenuLink icon="download" href={`/dashboard/api/links/${link.id}/page.${ending}`} download>
          {name}
        </MenuLink>
      </li>
    ))}
  </>
)

/** The snapshot of the page as the owner's browser showed it, once the menu has been opened; nothing without one. */
const Snapshot = ({ id }: { readonly id: number }) => {
  const { value: madeAt } = useLoaded(async () => (await api.wholeLink(id)).snapshotAt)
  return madeAt == null ? null : (
    <li>
      <MenuLink
        icon="copies"
        href={`/dashboard/read/${id}/snapshot`}
        target="_blank"
        rel="noopener noreferrer"
      >
        Snapshot of {dayText(madeAt)}
      </MenuLink>
    </li>
  )
}

/** What can be done with the link, or at its end what removes it. */
const Actions = ({ isRemoval = false, link }: Pick<PartProps, "link"> & { readonly isRemoval?: boolean }) => (
  <>
    {actionsOn([link.id])
      .filter(({ section }) => section !== "open" && (section === "remove") === isRemoval)
      .map(({ icon, isDangerous, isLocal, name, perform, section }, at, all) => (
        <li key={name} data-first={all[at - 1]?.section !== section || undefined}>
          <MenuItem icon={icon} isLocal={isLocal} isDangerous={isDangerous} run={() => perform([link.id])}>
            {name}
          </MenuItem>
        </li>
      ))}
  </>
)

/** The menu of everything else that can be done with the page and its link. */
export const MoreMenu = ({ frame, link }: PartProps & { readonly link: PartProps["link"] }) => {
  const menu = useFramePopover()
  const [isOpened, setOpened] = useState(false)
  return (
    <>
      <IconButton icon="more" label="More" popovertarget={MENU} aria-haspopup="dialog" />
      <div
        ref={menu}
        id={MENU}
        class="reader-panel reader-menu floating"
        popover="auto"
        role="dialog"
        aria-label="More"
        onToggle={({ newState }) => setOpened((before) => before || newState === "open")}
      >
        <ul class="menu">
          {parts.map(({ Items, name }) =>
            Items === undefined ? null : <Items key={name} link={link} frame={frame} />
          )}
          <Actions link={link} />
          {link.deletedAt === undefined ? (
            <li data-first>
              <MenuLink icon="cards" href={`/dashboard?link=${link.id}`}>
                Details
              </MenuLink>
            </li>
          ) : null}
          {link.kept ? <Downloads link={link} /> : null}
          {isOpened ? <Snapshot key={link.id} id={link.id} /> : null}
          <Actions link={link} isRemoval />
        </ul>
      </div>
    </>
  )
}
