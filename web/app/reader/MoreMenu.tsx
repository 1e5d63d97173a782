import { useEffect, useState } from "preact/hooks"
import { dayText } from "../../../src/shared/Format.ts"
import { actionsOn } from "../actions/registry.ts"
import { api } from "../api.ts"
import { IconButton } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { MENU, MenuItem, useFramePopover } from "./MenuItem.tsx"
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

/** The snapshot of the page as the owner's browser showed it, once the menu has been opened; nothing without one. */
const Snapshot = ({ id }: { readonly id: number }) => {
  const [madeAt, setMadeAt] = useState<string | null>(null)
  useEffect(() => {
    const request = new AbortController()
    setMadeAt(null)
    // Without an answer, there is no snapshot to open either.
    api.wholeLink(id, request.signal).then(
      ({ snapshotAt }) => setMadeAt(snapshotAt ?? null),
      () => undefined
    )
    return () => request.abort()
  }, [id])
  return madeAt === null ? null : (
    <li>
      <a class="menu-item" href={`/dashboard/read/${id}/snapshot`} target="_blank" rel="noopener noreferrer">
        <Icon name="copies" />
        Snapshot of {dayText(madeAt)}
      </a>
    </li>
  )
}

/** What can be done with the link, or at its end what removes it. */
const Actions = ({ isRemoval = false, link }: Pick<PartProps, "link"> & { readonly isRemoval?: boolean }) => (
  <>
    {actionsOn([link.id])
      .filter(({ section }) => section !== "open" && (section === "remove") === isRemoval)
      .map(({ icon, isDangerous, isLocal, name, perform, section }, at, all) => (
        <MenuItem
          key={name}
          icon={icon}
          isLocal={isLocal}
          isFirst={all[at - 1]?.section !== section}
          isDangerous={isDangerous}
          run={() => perform([link.id])}
        >
          {name}
        </MenuItem>
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
              <a class="menu-item" href={`/dashboard?link=${link.id}`}>
                <Icon name="cards" />
                Details
              </a>
            </li>
          ) : null}
          {link.kept ? <Downloads link={link} /> : null}
          {isOpened ? <Snapshot id={link.id} /> : null}
          <Actions link={link} isRemoval />
        </ul>
      </div>
    </>
  )
}
