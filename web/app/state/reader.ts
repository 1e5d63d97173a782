import { signal } from "@preact/signals"
import { addStyle, tellUnloadable } from "./lazy.ts"

/** The code of the reader, which only its page needs. */
type ReaderParts = typeof import("../reader/reader.tsx")

/** Null until loaded. */
export const readerParts = signal<ReaderParts | null>(null)

/** The path of the reader's styles; set by the build. */
declare const READER_STYLE: string

let isLoading = false

/** Loads the reader, unless that was begun before; again after a failure. */
export const loadReader = async (): Promise<void> => {
  if (isLoading) return
  isLoading = true
  try {
    const [parts] = await Promise.all([import("../reader/reader.tsx"), addStyle(READER_STYLE)])
    readerParts.value = parts
  } catch {
    isLoading = false
    tellUnloadable()
  }
}

/** Runs something that needs the reader, if it is loaded. */
export const withReader = (run: (parts: ReaderParts) => unknown): unknown => {
  const parts = readerParts.peek()
  return parts !== null && run(parts)
}
