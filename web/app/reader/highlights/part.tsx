import { effect } from "@preact/signals"
import { highlightColours } from "../../../../src/shared/HighlightParameters.ts"
import { Button, IconButton } from "../../components/Button.tsx"
import { HighlightDialog, HighlightItem } from "../../components/HighlightItem.tsx"
import { linkOf } from "../../state/entities.ts"
import { meta } from "../../state/meta.ts"
import { onFrameClick, type ReaderFrame } from "../frame.ts"
import type { PartProps, ReaderPart } from "../parts.ts"
import { useFramePopover } from "../useFramePopover.ts"
import { type PlacedHighlight, positionAt } from "./passages.ts"
import { SelectionBar } from "./SelectionBar.tsx"
import { edited, forgetHighlights, goToHighlight, highlights, loadHighlights, placed } from "./state.ts"

/** Whether the browser can mark parts of a text without changing the document (the CSS Custom Highlight API). */
const canPaint = ({ window }: Pick<ReaderFrame, "window">): boolean =>
  "highlights" in window.CSS && "Highlight" in window

/** Marks the highlights in the document by colour; a later one is painted over an earlier one. */
const paint = (frame: ReaderFrame, placed: ReadonlyArray<PlacedHighlight>): void => {
  if (!canPaint(frame)) return
  const { window } = frame
  for (const colour of highlightColours) {
    const ranges = placed.filter(({ highlight }) => highlight.colour === colour).map(({ range }) => range)
    window.CSS.highlights.set(`highlight-${colour}`, new window.Highlight(...ranges))
  }
}

const PANEL = "reader-highlights"

const HighlightsButton = ({ frame, link }: PartProps) => {
  const panel = useFramePopover()
  const all = highlights.value
  const there = new Set(placed.value.map(({ highlight }) => highlight.id))
  const found = placed.value.toSorted((a, b) => a.start - b.start).map(({ highlight }) => highlight)
  const lost = all.filter(({ id }) => !there.has(id))
  const hide = () => panel.current?.hidePopover()
  return (
    <>
      <IconButton icon="highlight" label="Highlights" popovertarget={PANEL} aria-haspopup="dialog" />
      <div
        ref={panel}
        id={PANEL}
        class="reader-panel floating"
        popover="auto"
        role="dialog"
        aria-label="Highlights"
      >
        {all.length === 0 ? (
          <p class="hint">
            Nothing is highlighted yet. Select a passage and choose a colour, or press <kbd>h</kbd>.
          </p>
        ) : null}
        {frame !== null && !canPaint(frame) && all.length > 0 ? (
          <p class="hint">This browser cannot show highlights in the text. They are listed here.</p>
        ) : null}
        {found.length === 0 ? null : (
          <ul class="stack">
            {found.map((highlight) => (
              <HighlightItem
                key={highlight.id}
                highlight={highlight}
                onEdit={() => {
                  hide()
                  edited.value = highlight
                }}
              >
                <Button
                  class="highlight-jump"
                  onClick={() => {
                    hide()
                    if (frame !== null) goToHighlight(frame, highlight.id)
                  }}
                >
                  {highlight.quote}
                </Button>
              </HighlightItem>
            ))}
          </ul>
        )}
        {lost.length === 0 ? null : (
          <>
            <h2 class="hint">No longer in the text</h2>
            <ul class="stack">
              {lost.map((highlight) => (
                <HighlightItem
                  key={highlight.id}
                  highlight={highlight}
                  onEdit={() => {
                    hide()
                    edited.value = highlight
                  }}
                >
                  {highlight.quote}
                </HighlightItem>
              ))}
            </ul>
          </>
        )}
        {all.length === 0 ? null : (
          <p>
            <a class="button" href={`/dashboard/api/highlights.md?link=${link.id}`} download>
              Export as Markdown
            </a>
          </p>
        )}
      </div>
    </>
  )
}

/** The bar of the selected text, and the highlight that is edited. */
const HighlightsLayer = ({ frame }: PartProps) => (
  <>
    {frame === null ? null : <SelectionBar frame={frame} />}
    {edited.value === null ? null : (
      <HighlightDialog
        key={edited.value.id}
        highlight={edited.value}
        onClose={(changed) => {
          edited.value = null
          if (changed && frame !== null) void loadHighlights(frame)
        }}
      />
    )}
  </>
)

/** Opens the highlight at the point that was clicked; a click on a link follows the link. */
const openClicked = (frame: ReaderFrame, event: MouseEvent) => {
  const selection = frame.document.getSelection()
  const target = event.target
  if (event.button !== 0 || (selection !== null && !selection.isCollapsed)) return
  if (target instanceof frame.window.Element && target.closest("a[href]") !== null) return
  const at = positionAt(frame, event.clientX, event.clientY)
  const found =
    at === undefined ? undefined : placed.peek().findLast(({ end, start }) => start <= at && at < end)
  if (found !== undefined && found.highlight.id !== 0) edited.value = found.highlight
}

const targetIn = (hash: string) => Number(/^#highlight-([1-9]\d{0,14})$/.exec(hash)?.[1] ?? 0)

/** Shows the highlights of each document, follows changes, and goes to the one that the address names. */
const attach = (frame: ReaderFrame): (() => void) => {
  let isFirst = true
  const load = async () => {
    await loadHighlights(frame)
    if (isFirst) goToHighlight(frame, targetIn(location.hash))
    isFirst = false
  }
  const onHash = () => void goToHighlight(frame, targetIn(location.hash))
  window.addEventListener("hashchange", onHash)
  const ends = [
    effect(() => paint(frame, placed.value)),
    // Events of the link, and changes that were undone.
    effect(() => {
      void linkOf(frame.id)?.value
      void meta.value
      void load()
    }),
    onFrameClick((event) => openClicked(frame, event)),
    () => window.removeEventListener("hashchange", onHash),
    forgetHighlights
  ]
  return () => {
    for (const end of ends) end()
  }
}

export const highlightsPart: ReaderPart = {
  name: "highlights",
  Tool: HighlightsButton,
  Layer: HighlightsLayer,
  attach
}
