/** @jsxImportSource preact */
import { useState } from "preact/hooks"
import { Highlighted } from "./Highlighted.tsx"

/** How much of a note is shown at first, in UTF-16 units and in lines. */
const SHOWN = 300
const SHOWN_LINES = 8
/** How much of it is shown before the first found word. */
const BEFORE = 60

type Range = readonly [start: number, end: number]

/** Where the shown part of a long note starts and ends: around the first found word if that is further on. */
export const shownPart = (note: string, ranges: ReadonlyArray<Range> = []): Range => {
  const first = Math.min(...ranges.map(([start]) => start))
  const at = Number.isFinite(first) ? first : 0
  const end = (start: number) =>
    start +
    note
      .slice(start, start + SHOWN)
      .split("\n", SHOWN_LINES)
      .join("\n").length
  return at < end(0) ? [0, end(0)] : [at - BEFORE, end(at - BEFORE)]
}

interface Props {
  readonly note: string
  readonly ranges?: ReadonlyArray<Range> | undefined
}

/** A link's note; a long one is shown in part at first. */
export const Note = ({ note, ranges = [] }: Props) => {
  const [isWhole, setWhole] = useState(false)
  const [start, end] = isWhole ? [0, note.length] : shownPart(note, ranges)
  const marks = ranges.map(([from, to]): Range => [from - start, to - start])
  return (
    <div class="card-note">
      <p dir="auto">
        {start > 0 ? "…" : null}
        <Highlighted text={note.slice(start, end)} ranges={marks} />
        {end < note.length ? "…" : null}
      </p>
      {end - start < note.length ? (
        <button type="button" class="link-button" onClick={() => setWhole(true)}>
          Show the whole note
        </button>
      ) : null}
    </div>
  )
}
