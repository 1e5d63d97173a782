import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { closeDetail, DETAIL, isDocked, openDetail } from "../state/detail.ts"
import { deletionClock, linkOf } from "../state/entities.ts"
import { listing, reloads } from "../state/list.ts"
import { current } from "../state/selection.ts"
import { known, showWhole } from "../state/wholeLink.ts"
import { IconButton } from "./Button.tsx"
import { DetailContent } from "./DetailContent.tsx"
import { Dialog } from "./Dialog.tsx"
import { focusList } from "./focus.ts"
import { Notice } from "./Notice.tsx"

interface Props {
  readonly id: number
}

/** Moves to another link of the list; the list follows. */
const go = (id: number) => {
  current.value = id
  openDetail(id)
}

const Tools = ({ id }: Props) => {
  const ids = listing.value?.ids ?? []
  const at = ids.indexOf(id)
  const [before, after] = [ids[at - 1], at === -1 ? undefined : ids[at + 1]]
  return (
    <div class="detail-tools">
      <IconButton
        icon="chevron"
        label="Previous link"
        title="Previous link (k)"
        disabled={before === undefined}
        onClick={() => before !== undefined && go(before)}
      />
      <IconButton
        icon="chevron"
        label="Next link"
        data-flip=""
        title="Next link (j)"
        disabled={after === undefined}
        onClick={() => after !== undefined && go(after)}
      />
      <span class="grow" />
      <IconButton
        icon="close"
        label="Close the details"
        title="Close (Esc)"
        onClick={() => {
          closeDetail()
          focusList()
        }}
      />
    </div>
  )
}

const Missing = ({ id, failed }: Props & { readonly failed: boolean }) => (
  <Notice title={failed ? "The link could not be loaded" : `There is no link #${id}`}>
    {failed ? "The library cannot be reached." : "It may have been deleted."}
  </Notice>
)

const Body = ({ id }: Props) => {
  // A deletion may concern the link while it is shown.
  void deletionClock.value
  const link = linkOf(id)?.value
  const state = known.value?.id === id ? known.value.state : "loading"
  const was = useRef<number | undefined>(undefined)
  // The list has moved on to another link, if there is one.
  const isGone = link === undefined && was.current === id
  useEffect(() => (isGone ? undefined : showWhole(id)), [id, isGone, link?.updatedAt, reloads.value])
  useEffect(() => {
    if (isGone) closeDetail()
    else if (link !== undefined) was.current = id
  }, [id, isGone, link === undefined])
  return (
    <>
      <Tools id={id} />
      {link !== undefined ? (
        <DetailContent key={id} link={link} />
      ) : state === "none" || state === "failed" ? (
        <Missing id={id} failed={state === "failed"} />
      ) : (
        <p class="hint" role="status">
          Loading…
        </p>
      )}
    </>
  )
}

const Docked = ({ id }: Props) => {
  const pane = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (pane.current !== null) pane.current.scrollTop = 0
  }, [id])
  return (
    <aside ref={pane} id={DETAIL} class="detail" aria-label="Details" tabIndex={-1}>
      <Body id={id} />
    </aside>
  )
}

/** A link's details: beside the list where there is room, otherwise as a sheet over it. */
export const DetailPane = ({ id }: Props) =>
  isDocked.value ? (
    <Docked id={id} />
  ) : (
    <Dialog label="Details" class="detail-sheet" onClose={closeDetail}>
      <Body id={id} />
    </Dialog>
  )
