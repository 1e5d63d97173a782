import "../components/laterIcons.ts"
import { useEffect, useState } from "preact/hooks"
import { Outage, SignedOut } from "../components/Outage.tsx"
import { loadLazyParts } from "../state/lazy.ts"
import { Absent, NoLink } from "./Absent.tsx"
import { ContentsPanel } from "./Contents.tsx"
import { Document } from "./Document.tsx"
import { readerFrame } from "./frame.ts"
import { Lightbox } from "./Lightbox.tsx"
import { parts } from "./parts.ts"
import { shownPaper } from "./settings.ts"
import { Toolbar } from "./Toolbar.tsx"
import { useReadLink } from "./useReadLink.ts"

export { toggleContents } from "./Contents.tsx"
export { openNext } from "./End.tsx"
export { highlightSelection } from "./highlights/state.ts"
export { Inset } from "./Inset.tsx"
export { leaveReader } from "./leave.ts"
export { toggleListening } from "./listen.ts"
export { printArticle } from "./printing.ts"
export { scrollReader } from "./scrolling.ts"
export { changeSize } from "./settings.ts"

interface Props {
  readonly id: number
  readonly version: number | undefined
}

/** A link's kept page, or why there is none. */
export const Reader = ({ id, version }: Props) => {
  const found = useReadLink(id)
  const link = typeof found === "object" ? found : undefined
  // The copy that turned out not to exist, by the link's last change: a later change may bring one.
  const [missing, setMissing] = useState<string | undefined>(undefined)
  useEffect(() => void loadLazyParts(), [])
  const isKept = link?.kept === true && link.deletedAt === undefined && missing !== link.updatedAt
  const frame = readerFrame.value
  return (
    <div class="reader" data-paper={shownPaper.value}>
      <Toolbar link={link} frame={frame} />
      <div class="reader-notices">
        <Outage />
        <SignedOut />
      </div>
      <div class="reader-columns">
        {isKept ? <ContentsPanel frame={frame} /> : null}
        <main id="main" class="reader-main" tabIndex={-1} aria-busy={isKept && frame === null}>
          <h1 class="visually-hidden">{link?.title ?? "Read"}</h1>
          {link === undefined ? (
            <NoLink id={id} state={typeof found === "string" ? found : "loading"} />
          ) : isKept ? (
            <Document
              key={`${id} ${version}`}
              id={id}
              version={version}
              title={link.title}
              onMissing={() => setMissing(link.updatedAt)}
            />
          ) : (
            <Absent link={link} />
          )}
        </main>
      </div>
      <Lightbox />
      {link === undefined
        ? null
        : parts.map(({ Layer, name }) =>
            Layer === undefined ? null : <Layer key={name} link={link} frame={frame} />
          )}
    </div>
  )
}
