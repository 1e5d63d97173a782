import type { ComponentType } from "preact"
import type { Link } from "../api.ts"
import type { ReaderFrame } from "./frame.ts"
import { highlightsPart } from "./highlights/part.tsx"
import { reading } from "./Reading.tsx"

/** What the components of a part get; `frame` is null until the document is shown. */
export interface PartProps {
  readonly link: Link
  readonly frame: ReaderFrame | null
}

/** A part of the reader that stands for itself, such as its highlights. */
export interface ReaderPart {
  readonly name: string
  /** A button of the toolbar. */
  readonly Tool?: ComponentType<PartProps>
  /** Items of the menu *More*, each an `li`. */
  readonly Items?: ComponentType<PartProps>
  /** Shown over the document, or beside it. */
  readonly Layer?: ComponentType<PartProps>
  /** Works on each document that is shown; the returned function ends it. */
  readonly attach?: (frame: ReaderFrame) => () => void
}

/** The parts of the reader, in the order of their buttons and items. */
export const parts: ReadonlyArray<ReaderPart> = [reading, highlightsPart]
