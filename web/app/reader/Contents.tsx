import { computed, effect, signal, useComputed } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { oneLine } from "../../../src/shared/Text.ts"
import { IconButton } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { type ReaderFrame, readerFrame, scroll } from "./frame.ts"
import { contents } from "./settings.ts"

/** A heading of the article, as the contents show it. */
interface Heading {
  readonly element: HTMLElement
  readonly text: string
  /** How deep it is among the headings: 0 for the outermost ones, whatever their levels are. */
  readonly depth: number
}

/** Maximum depth of the contents; deeper headings stand with those of this depth. */
const MAX_DEPTH = 3

/** Returns the depth of each heading, given their levels (1 to 6) in order; a skipped level adds no depth. */
const depthsOf = (levels: ReadonlyArray<number>): ReadonlyArray<number> => {
  const open: Array<number> = []
  return levels.map((level) => {
    while ((open.at(-1) ?? 0) >= level) open.pop()
    open.push(level)
    return Math.min(open.length - 1, MAX_DEPTH)
  })
}

/** Reads the headings of an article that have a text. */
const outlineOf = (article: HTMLElement): ReadonlyArray<Heading> => {
  const elements = [...article.querySelectorAll<HTMLElement>("h1, h2, h3, h4, h5, h6")].flatMap((element) => {
    const text = oneLine(element.textContent)
    return text === "" || element.hasAttribute("data-repeated") ? [] : [{ element, text }]
  })
  const depths = depthsOf(elements.map(({ element }) => Number(element.localName.slice(1))))
  return elements.map((one, at) => ({ ...one, depth: depths[at] ?? 0 }))
}

/** Returns the index of the last of these tops, in ascending order, that is not below `line`; -1 if all are. */
const lastAbove = (tops: ReadonlyArray<number>, line: number): number => {
  let [from, to] = [0, tops.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((tops[middle] ?? 0) <= line) from = middle + 1
    else to = middle
  }
  return from - 1
}

/** From this width on, the contents stand beside the text. */
const wide = matchMedia("(min-width: 68rem)")
const isWide = signal(wide.matches)
wide.addEventListener("change", () => {
  isWide.value = wide.matches
})

/** Whether the contents are open as a sheet, where there is no room beside the text. */
const isSheetOpen = signal(false)

/** The headings of the document that is shown. */
const outline = computed<ReadonlyArray<Heading>>(() => {
  const frame = readerFrame.value
  return frame === null ? [] : outlineOf(frame.article)
})

/** Where the headings are in the document, in pixels; measured again whenever its height changes. */
const tops = computed<ReadonlyArray<number>>(() => {
  void scroll.value.height
  const frame = readerFrame.value
  const { scrollY } = frame?.window ?? { scrollY: 0 }
  return outline.value.map(({ element }) => element.getBoundingClientRect().top + scrollY)
})

/** How far below the upper edge a heading counts as read, as a share of the visible height. */
const READ_LINE = 0.25

/** The heading that is read now; at the end of the document the last one. */
const currentHeading = computed(() => {
  const { height, top, visible } = scroll.value
  if (height > 0 && top + visible >= height - 2) return outline.value.length - 1
  return lastAbove(tops.value, top + visible * READ_LINE)
})

const jump = ({ window }: ReaderFrame, { element }: Heading) => {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches
  element.scrollIntoView({ block: "start", behavior: isCalm ? "instant" : "smooth" })
  window.focus()
}

const List = ({ frame, onJump }: { readonly frame: ReaderFrame; readonly onJump?: () => void }) => {
  const list = useRef<HTMLOListElement>(null)
  // The current heading stays visible in a long list.
  useEffect(
    () =>
      effect(() => {
        const item = list.current?.children[currentHeading.value]
        item?.scrollIntoView({ block: "nearest" })
      }),
    [frame]
  )
  return (
    <ol ref={list} class="contents">
      {outline.value.map((heading, at) => (
        <li key={at} style={{ "--depth": heading.depth }}>
          <button
            type="button"
            dir="auto"
            aria-current={at === currentHeading.value ? "true" : undefined}
            onClick={() => {
              onJump?.()
              jump(frame, heading)
            }}
          >
            {heading.text}
          </button>
        </li>
      ))}
    </ol>
  )
}

interface Props {
  readonly frame: ReaderFrame | null
}

/** Opens or closes the contents. */
export const toggleContents = (): boolean => {
  if (outline.peek().length === 0) return false
  if (!isWide.peek()) isSheetOpen.value = !isSheetOpen.peek()
  else contents.value = contents.peek() === "open" ? "closed" : "open"
  return true
}

/** The button of the contents, if the page has headings. */
export const ContentsButton = ({ frame }: Props) => {
  const isOpen = useComputed(() => (isWide.value ? contents.value === "open" : isSheetOpen.value))
  if (frame === null || outline.value.length === 0) return null
  return (
    <IconButton
      icon="contents"
      label="Contents"
      title="Contents (c)"
      aria-expanded={isOpen.value}
      onClick={toggleContents}
    />
  )
}

/** The contents, made of the page's headings: beside the text where there is room, otherwise as a sheet over it. */
export const ContentsPanel = ({ frame }: Props) => {
  useEffect(
    () => () => {
      isSheetOpen.value = false
    },
    []
  )
  if (frame === null || outline.value.length === 0) return null
  if (isWide.value)
    return contents.value === "open" ? (
      <nav class="reader-contents" aria-label="Contents">
        <h2 class="hint">Contents</h2>
        <List frame={frame} />
      </nav>
    ) : null
  const close = () => {
    isSheetOpen.value = false
  }
  return isSheetOpen.value ? (
    <Dialog title="Contents" class="detail-sheet" onClose={close}>
      <List frame={frame} onJump={close} />
    </Dialog>
  ) : null
}
