import { signal } from "@preact/signals"
import { onFrameClick, type ReaderFrame } from "./frame.ts"

/** A picture of the article, shown as large as the screen allows. */
export interface EnlargedPicture {
  readonly src: string
  readonly alt: string
  /** What stands below it in the article. */
  readonly caption: string
  /** Its size in pixels; it is never shown larger than this. */
  readonly width: number
  readonly height: number
}

/** The pictures of the article that can be enlarged, and which of them is. */
export const enlarged = signal<{ readonly all: ReadonlyArray<EnlargedPicture>; readonly at: number } | null>(
  null
)

/** The smallest side of a picture that is worth enlarging, in pixels. */
const MIN_SIDE = 96

const sideOf = (picture: Element, name: "width" | "height") => Number(picture.getAttribute(name) ?? 0)

const read = (picture: HTMLImageElement): EnlargedPicture => ({
  src: picture.src,
  alt: picture.alt,
  caption: picture.closest("figure")?.querySelector("figcaption")?.textContent.trim() ?? "",
  width: sideOf(picture, "width"),
  height: sideOf(picture, "height")
})

/**
 * Makes buttons of the pictures of a document that are large enough and no part of a link; a click, Enter or Space
 * enlarges one. The returned function ends it.
 */
export const offerPictures = ({ article }: ReaderFrame): (() => void) => {
  const pictures = [...article.querySelectorAll<HTMLImageElement>("img[src]")].filter(
    (picture) =>
      picture.closest("a") === null &&
      Math.min(sideOf(picture, "width"), sideOf(picture, "height")) >= MIN_SIDE
  )
  for (const picture of pictures) {
    picture.setAttribute("role", "button")
    picture.setAttribute("tabindex", "0")
    picture.setAttribute("aria-label", picture.alt === "" ? "Enlarge the picture" : `Enlarge: ${picture.alt}`)
  }
  const enlarge = (target: EventTarget | null): boolean => {
    const picture = pictures.find((one) => one === target)
    if (picture === undefined) return false
    enlarged.value = { all: pictures.map(read), at: pictures.indexOf(picture) }
    return true
  }
  const pressed = (event: KeyboardEvent) => {
    if ((event.key === "Enter" || event.key === " ") && enlarge(event.target)) event.preventDefault()
  }
  article.addEventListener("keydown", pressed)
  const endClicks = onFrameClick(({ target }) => void enlarge(target))
  return () => {
    endClicks()
    article.removeEventListener("keydown", pressed)
    enlarged.value = null
  }
}
