import { effect } from "@preact/signals"
import { useEffect, useRef, useState } from "preact/hooks"
import { type ReaderFrame, readerFrame, watchFrame } from "./frame.ts"
import { parts } from "./parts.ts"
import { applySettings } from "./settings.ts"

interface Props {
  readonly id: number
  readonly version: number | undefined
  readonly title: string
  /** Called when the document has turned out not to exist. */
  readonly onMissing: () => void
}

const addressOf = ({ id, version }: Pick<Props, "id" | "version">) =>
  `/dashboard/read/${id}/document${version === undefined ? "" : `?version=${version}`}`

/** Whether the frame has begun to receive its document; before, it has an empty one. */
const hasArrived = ({ contentDocument }: HTMLIFrameElement) =>
  contentDocument !== null && contentDocument.URL !== "about:blank" && contentDocument.documentElement !== null

/** Whether the document is there whole, with the styles before which nothing may be shown. */
const isWhole = ({ readyState, styleSheets }: Document) => readyState !== "loading" && styleSheets.length > 0

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
  useEffect(() => {
    const frame = element.current
    if (frame === null) return
    const ends: Array<() => void> = []
    let next = 0
    let isAttached = false
    const attach = (shown: ReaderFrame) => {
      isAttached = true
      readerFrame.value = shown
      ends.push(
        watchFrame(shown),
        effect(() => applySettings(shown.document.documentElement)),
        ...parts.flatMap(({ attach }) => attach?.(shown) ?? []),
        () => {
          if (readerFrame.peek() === shown) readerFrame.value = null
        }
      )
      setShown(true)
    }
    const look = () => {
      if (isAttached) return
      if (hasArrived(frame)) {
        const document = frame.contentDocument
        if (document !== null && isWhole(document)) {
          const shown = readFrame(frame, { id, version })
          if (shown === undefined) onMissing()
          else attach(shown)
          return
        }
      }
      next = requestAnimationFrame(look)
    }
    // An error of the network has no document, or one that cannot be read.
    const loaded = () => {
      cancelAnimationFrame(next)
      if (isAttached) return
      const shown = readFrame(frame, { id, version })
      if (shown === undefined) onMissing()
      else attach(shown)
    }
    frame.addEventListener("load", loaded)
    frame.src = addressOf({ id, version })
    next = requestAnimationFrame(look)
    return () => {
      cancelAnimationFrame(next)
      frame.removeEventListener("load", loaded)
      for (const end of ends) end()
    }
  }, [])
  return (
    <iframe
      ref={element}
      class="reader-frame"
      data-shown={isShown}
      title={title}
      // Without "allow-scripts", nothing in it runs; the app reads it ("allow-same-origin") and prints it ("allow-modals").
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-modals"
      tabIndex={0}
    />
  )
}
