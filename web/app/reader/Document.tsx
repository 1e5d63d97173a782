import { effect } from "@preact/signals"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { colourCode } from "./codeColours.ts"
import { type ReaderFrame, readerFrame, watchFrame } from "./frame.ts"
import { parts } from "./parts.ts"
import { offerPictures } from "./pictures.ts"
import { applySettings } from "./settings.ts"

/** What may be wider than the text, with its name for who cannot see it. */
const boxes = { pre: "Code", ".wide": "Table" } as const

/**
 * Lets the keyboard scroll the boxes of code and tables that are wider than the text, and only those; follows their size
 * until the returned function is called.
 */
const watchBoxes = ({ article }: ReaderFrame): (() => void) => {
  const look = (box: Element, name: string) => {
    if (box.scrollWidth <= box.clientWidth) {
      for (const attribute of ["tabindex", "role", "aria-label"]) box.removeAttribute(attribute)
      return
    }
    box.setAttribute("tabindex", "0")
    box.setAttribute("role", "region")
    box.setAttribute("aria-label", name)
  }
  const names = new Map(
    Object.entries(boxes).flatMap(([selector, name]) =>
      [...article.querySelectorAll(selector)].map((box) => [box, name] as const)
    )
  )
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) look(target, names.get(target) ?? "")
  })
  for (const box of names.keys()) observer.observe(box)
  return () => observer.disconnect()
}

interface Props {
  readonly id: number
  readonly version: number | undefined
  readonly title: string
  /** Called when the document has turned out not to exist. */
  readonly onMissing: () => void
}

const addressOf = ({ id, version }: Pick<Props, "id" | "version">) =>
  `/dashboard/read/${id}/document${version === undefined ? "" : `?version=${version}`}`

/** Whether the frame has its document, with the styles before which nothing may be shown; at first it has an empty one. */
const isWhole = ({ contentDocument }: HTMLIFrameElement) =>
  contentDocument !== null &&
  contentDocument.URL !== "about:blank" &&
  contentDocument.readyState !== "loading" &&
  contentDocument.styleSheets.length > 0

const readFrame = (element: HTMLIFrameElement, { id, version }: Pick<Props, "id" | "version">) => {
  const document = element.contentDocument
  const window = document?.defaultView
  const article = document?.querySelector<HTMLElement>("body > .sheet > #article")
  return document == null || window == null || article == null
    ? undefined
    : ({ id, version, element, window, document, article } satisfies ReaderFrame)
}

/**
 * The kept page in a frame of its own: without scripts, whatever it contains, and with a policy of its own. It shows once
 * it is set as chosen, so that nothing flashes; its pictures may still be on their way.
 */
export const Document = ({ id, onMissing, title, version }: Props) => {
  const element = useRef<HTMLIFrameElement>(null)
  const [isShown, setShown] = useState(false)
  // Before the frame reports that it is loaded.
  useLayoutEffect(() => {
    const frame = element.current
    if (frame === null) return
    const ends: Array<() => void> = []
    let next = 0
    /** Shows the document, or finds that there is none; the frame of a failed request has no document at all. */
    const settle = () => {
      cancelAnimationFrame(next)
      frame.removeEventListener("load", settle)
      const shown = readFrame(frame, { id, version })
      if (shown === undefined) return onMissing()
      readerFrame.value = shown
      ends.push(
        watchFrame(shown),
        effect(() => applySettings(shown.document.documentElement)),
        watchBoxes(shown),
        colourCode(shown),
        offerPictures(shown),
        ...parts.flatMap(({ attach }) => attach?.(shown) ?? []),
        () => {
          if (readerFrame.peek() === shown) readerFrame.value = null
        }
      )
      setShown(true)
      // So that the keys scroll it.
      if (document.activeElement === document.body) shown.window.focus()
    }
    const look = () => {
      if (isWhole(frame)) settle()
      else next = requestAnimationFrame(look)
    }
    frame.addEventListener("load", settle)
    look()
    return () => {
      cancelAnimationFrame(next)
      frame.removeEventListener("load", settle)
      for (const end of ends) end()
    }
  }, [])
  return (
    <iframe
      ref={element}
      src={addressOf({ id, version })}
      class="reader-frame"
      data-shown={isShown}
      title={title}
      // Without "allow-scripts", nothing in it runs; the app reads it ("allow-same-origin") and prints it ("allow-modals").
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-modals"
    />
  )
}
