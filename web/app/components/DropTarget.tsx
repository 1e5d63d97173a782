import { held } from "../state/drop.ts"
import { Icon } from "./Icon.tsx"

const show = (element: HTMLElement | null) => element?.showPopover()

const texts = { file: "Drop the file to import it", link: "Drop the link to save it" } as const

/** Says what would come of it if what is held over the page were let go; in front of everything, and in nobody's way. */
export const DropTarget = () => {
  const kind = held.value
  return kind === null ? null : (
    <div ref={show} class="drop-target" popover="manual" aria-hidden="true">
      <p>
        <Icon name={kind === "file" ? "upload" : "link"} />
        {texts[kind]}
      </p>
    </div>
  )
}
