import type { ReaderFrame } from "./frame.ts"

/** What may be wider than the text, with its name for who cannot see it. */
const boxes = { pre: "Code", ".wide": "Table" } as const

/**
 * Lets the keyboard scroll the boxes of code and tables that are wider than the text, and only those; follows their size
 * until the returned function is called.
 */
export const watchBoxes = ({ article }: ReaderFrame): (() => void) => {
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
