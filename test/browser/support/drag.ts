import type { Page } from "playwright-core"

/** What is dragged into the page from outside of it. */
export interface Dragged {
  /** The paths of files on this machine. */
  readonly files?: ReadonlyArray<string>
  /** What else it is, by media type. */
  readonly texts?: Readonly<Record<string, string>>
}

/**
 * Drags something in from outside, as the system tells the browser of it (Chrome DevTools Protocol,
 * `Input.dispatchDragEvent`), so that what the browser itself does with a drop happens too.
 */
export const dragIn = async (page: Page, { files = [], texts = {} }: Dragged, at = { x: 300, y: 300 }) => {
  const devtools = await page.context().newCDPSession(page)
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
    /** Out of the window, which the protocol cannot: it tells the page nothing of a drag that is called off. */
    leave: () =>
      page.evaluate(
        ({ x, y }) =>
          document.elementFromPoint(x, y)?.dispatchEvent(new DragEvent("dragleave", { bubbles: true })),
        last
      ),
    drop: () => tell("drop")
  }
}
