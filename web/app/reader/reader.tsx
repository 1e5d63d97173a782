import "../components/laterIcons.ts"
import { useEffect, useState } from "preact/hooks"
import { ApiError, api, type Link } from "../api.ts"
import { IconButton } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { Outage, SignedOut } from "../components/Outage.tsx"
import { externalLink } from "../externalLink.ts"
import { outage } from "../state/connection.ts"
import { deletionClock, linkOf, peekLink, storeLinks } from "../state/entities.ts"
import { loadLazyParts } from "../state/lazy.ts"
import { navigate } from "../state/route.ts"
import { Absent, NoLink } from "./Absent.tsx"
import { ContentsButton, ContentsPanel } from "./Contents.tsx"
import { Document } from "./Document.tsx"
import { type ReaderFrame, readerFrame } from "./frame.ts"
import { Lightbox } from "./Lightbox.tsx"
import { MoreMenu } from "./MoreMenu.tsx"
import { parts } from "./parts.ts"
import { shownPaper } from "./settings.ts"
import { TextButton } from "./TextPanel.tsx"

export { toggleContents } from "./Contents.tsx"
export { openNext } from "./End.tsx"
export { highlightSelection } from "./highlights/state.ts"
export { toggleListening } from "./listen.ts"
export { printArticle } from "./printing.ts"
export { changeSize } from "./settings.ts"

/** How far a key for a few lines scrolls, and how much of a screen stays visible after a screenful, as parts of it. */
const LINES = 0.15
const OVERLAP = 0.1

/** Scrolls the document by a few lines or by a screenful; returns false if no document is shown. */
export const scrollReader = (by: 1 | -1, step: "lines" | "screen"): boolean => {
  const frame = readerFrame.peek()
  if (frame === null) return false
  const visible = frame.document.documentElement.clientHeight
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches
  const part = step === "lines" ? LINES : 1 - OVERLAP
  frame.window.scrollBy({ top: by * visible * part, behavior: isCalm ? "instant" : "smooth" })
  return true
}

/** A link, or why it is not there: still asked for, unknown to the service, or the service does not answer. */
type ReadLink = Link | "loading" | "none" | "failed"

/** The link of the page, which the list may have loaded; asks for it if not, and again after an outage. */
const useReadLink = (id: number): ReadLink => {
  // A deletion may concern the link while it is shown.
  void deletionClock.value
  const link = linkOf(id)?.value
  const [state, setState] = useState<"loading" | "none" | "failed" | "there">("loading")
  const isMissing = link === undefined
  const isOut = outage.value !== undefined
  useEffect(() => {
    // Also during an outage: this browser may keep a copy.
    if (!isMissing) return undefined
    const request = new AbortController()
    setState("loading")
    api.wholeLink(id, request.signal).then(
      (whole) => {
        storeLinks([whole.link], { ifNewer: true })
        setState("there")
      },
      (error: unknown) => {
        if (request.signal.aborted || peekLink(id) !== undefined) return
        setState(error instanceof ApiError && error.status === 404 ? "none" : "failed")
      }
    )
    return () => request.abort()
  }, [id, isMissing, isOut])
  return link ?? (state === "there" ? "loading" : state)
}

/** Goes back to where the reader was opened from, or to the library if it was opened from outside. */
export const leaveReader = (): void => {
  const state: unknown = history.state
  const isFromApp = typeof state === "object" && state !== null && "isInApp" in state
  if (isFromApp) history.back()
  else navigate("/dashboard")
}

interface BarProps {
  readonly link: Link | undefined
  readonly frame: ReaderFrame | null
}

const Toolbar = ({ frame, link }: BarProps) => (
  <header class="reader-bar">
    <IconButton icon="chevron" label="Back" title="Back (Esc)" onClick={leaveReader} />
    <ContentsButton frame={frame} />
    <p class="reader-title hint one-line" dir="auto" title={link?.title}>
      {link?.title}
    </p>
    {link === undefined ? null : (
      <>
        {parts.map(({ name, Tool }) =>
          Tool === undefined ? null : <Tool key={name} link={link} frame={frame} />
        )}
        <TextButton />
        <a class="icon-button" title="Open the original (o)" {...externalLink(link.url)}>
          <Icon name="external" />
          <span class="visually-hidden">Open the original</span>
        </a>
        <MoreMenu link={link} frame={frame} />
      </>
    )}
  </header>
)

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

/** A link's kept page within other content, without the bar of the reader. */
export const Inset = ({ link }: { readonly link: Link }) => {
  const [isMissing, setMissing] = useState(false)
  const frame = readerFrame.value
  if (isMissing) return <p class="hint">The page could not be loaded.</p>
  return (
    <div class="reader-inset" data-paper={shownPaper.value}>
      <Document id={link.id} version={undefined} title={link.title} onMissing={() => setMissing(true)} />
      {parts.map(({ Layer, name }) =>
        Layer === undefined ? null : <Layer key={name} link={link} frame={frame} />
      )}
    </div>
  )
}
