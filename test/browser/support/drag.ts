import type { Page } from "playwright-core"
import { sessionOf } from "./browser.ts"

/** Something dragged into the page from outside. */
export interface Dragged {
  /** The paths of files on this machine. */
  readonly files?: ReadonlyArray<string>
  /** Texts by media type. */
  readonly texts?: Readonly<Record<string, string>>
}

/**
 * Drags something into the page with events of the browser, not of the page (Chrome DevTools Protocol,
 * `Input.dispatchDragEvent`), so that the browser's own handling of a drop happens too.
 */
export const dragIn = async (page: Page, { files = [], texts = {} }: Dragged, at = { x: 300, y: 300 }) => {
  const devtools = await sessionOf(page)
  const data = {
    items: Object.entries(texts).map(([mimeType, text]) => ({ mimeType, data: text })),
    files: [...files],
    // Copying.
    dragOperationsMask: 1
  }
  let last = at
  const tell = (type: "dragEnter" | "dragOver" | "drop") =>
    devtools.send("Input.dispatchDragEvent", { type, ...last, data })
  await tell("dragEnter")
  await tell("dragOver")
  return {
    over: (to: { readonly x: number; readonly y: number }) => {
      last = to
      return tell("dragOver")
    },
    /** Leaves the window. The protocol cannot: it sends the page no event when a drag is cancelled. */
    leave: () =>
      page.evaluate(
        ({ x, y }) =>
          document.elementFromPoint(x, y)?.dispatchEvent(new DragEvent("dragleave", { bubbles: true })),
        last
      ),
    drop: () => tell("drop")
  }
}
