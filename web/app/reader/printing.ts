import { readerFrame } from "./frame.ts"

/** How long to wait for pictures before printing without them, in milliseconds. */
const PATIENCE = 5_000

/** Loads the pictures that are still far below the visible part. */
const loadPictures = async (images: Iterable<HTMLImageElement>) => {
  const all = [...images].map((image) => {
    image.loading = "eager"
    return image.decode().catch(() => undefined)
  })
  await Promise.race([Promise.all(all), new Promise((resolve) => setTimeout(resolve, PATIENCE))])
}

/**
 * Prints the whole article, or saves it as a PDF: the document of the frame, not what the screen shows of it. Returns false
 * if there is none.
 */
export const printArticle = (): boolean => {
  const frame = readerFrame.peek()
  if (frame === null) return false
  void loadPictures(frame.document.images).then(() => frame.window.print())
  return true
}

/**
 * Lets the browser's own *Print* print the whole article too, until the returned function is called: it prints the page
 * around the frame, so the article stands there for as long as it prints.
 */
export const followPrinting = (): (() => void) => {
  const paper = document.createElement("div")
  paper.className = "printout printed-page"
  const put = () => {
    const frame = readerFrame.peek()
    const sheet = frame?.document.querySelector(".sheet")
    if (sheet == null) return
    paper.replaceChildren(document.importNode(sheet, true))
    document.body.append(paper)
  }
  const clear = () => {
    paper.replaceChildren()
    paper.remove()
  }
  window.addEventListener("beforeprint", put)
  window.addEventListener("afterprint", clear)
  return () => {
    window.removeEventListener("beforeprint", put)
    window.removeEventListener("afterprint", clear)
    clear()
  }
}
