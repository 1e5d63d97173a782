/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"

interface Props {
  readonly text: string
  /** In UTF-16 units; they may be unordered, overlap, or extend past the end. */
  readonly ranges: ReadonlyArray<readonly [start: number, end: number]> | undefined
}

export const Highlighted = ({ ranges = [], text }: Props) => {
  const parts: Array<ComponentChildren> = []
  let at = 0
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const start = Math.max(at, from)
    if (Math.min(to, text.length) <= start) continue
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, to)}</mark>)
    at = Math.min(to, text.length)
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  )
}
