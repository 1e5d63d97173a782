import {
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  type VirtualizerOptions,
  windowScroll
} from "@tanstack/virtual-core"
import { useLayoutEffect, useState } from "preact/hooks"

type Options = Pick<
  VirtualizerOptions<Window, HTMLElement>,
  | "count"
  | "estimateSize"
  | "getItemKey"
  | "overscan"
  | "scrollMargin"
  | "scrollPaddingStart"
  | "scrollPaddingEnd"
>

/** A list that scrolls with the window and renders only what is visible (TanStack Virtual). */
export const useWindowVirtualizer = (options: Options): Virtualizer<Window, HTMLElement> => {
  const [, redraw] = useState(0)
  const all: VirtualizerOptions<Window, HTMLElement> = {
    ...options,
    getScrollElement: () => window,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    initialOffset: () => window.scrollY,
    onChange: () => redraw((times) => times + 1)
  }
  const [virtualizer] = useState(() => new Virtualizer(all))
  virtualizer.setOptions(all)
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer])
  useLayoutEffect(() => virtualizer._willUpdate())
  return virtualizer
}
