import { useEffect } from "preact/hooks"
import { MenuItem } from "../components/MenuItem.tsx"
import { End } from "./End.tsx"
import { ListenBar, ListenButton } from "./Listen.tsx"
import { attachListening } from "./listen.ts"
import type { PartProps, ReaderPart } from "./parts.ts"
import { followPrinting, printArticle } from "./printing.ts"
import { followProgress, progress } from "./progress.ts"
import { keepShown } from "./readOffline.ts"
import { VersionBanner, VersionDialogs, VersionsItem } from "./Versions.tsx"

/** How much of the article has been read, as a line below the bar. */
const ProgressLine = ({ frame }: Pick<PartProps, "frame">) =>
  frame === null ? null : (
    <section class="reader-progress" aria-label="Progress">
      <div
        role="progressbar"
        aria-label="Read"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(progress.value * 100)}
        style={{ "--part": progress.value }}
      />
    </section>
  )

const Layer = (props: PartProps) => {
  useEffect(followPrinting, [])
  return (
    <>
      <ProgressLine frame={props.frame} />
      <VersionBanner {...props} />
      <div class="reader-dock">
        <End {...props} />
        <ListenBar {...props} />
      </div>
      <VersionDialogs {...props} />
    </>
  )
}

const Items = ({ frame }: PartProps) =>
  frame === null ? null : (
    <>
      <li>
        <MenuItem icon="print" isLocal run={printArticle}>
          Print, or save as PDF
        </MenuItem>
      </li>
      <VersionsItem />
    </>
  )

/** What makes the reader a place to read: progress, the end, listening, printing, versions and reading offline. */
export const reading: ReaderPart = {
  name: "reading",
  Tool: ListenButton,
  Items,
  Layer,
  attach: (frame) => {
    const ends = [followProgress(frame), attachListening(frame), keepShown(frame)]
    return () => {
      for (const end of ends) end()
    }
  }
}
