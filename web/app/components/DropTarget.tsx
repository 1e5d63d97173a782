import { dragged } from "../state/drop.ts"
import { Icon } from "./Icon.tsx"

const show = (element: HTMLElement | null) => element?.showPopover()

const texts = { file: "Drop the file to import it", link: "Drop the link to save it" } as const

/** Says what dropping the dragged file or link would do; shown above everything, without receiving events. */
export const DropTarget = () => {
  const kind = dragged.value
  return kind === null ? null : (
    <div ref={show} class="drop-target" popover="manual" aria-hidden="true">
      <p>
        <Icon name={kind === "file" ? "upload" : "link"} />
        {texts[kind]}
      </p>
    </div>
  )
}
