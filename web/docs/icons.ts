import { type Element, h } from "./tree.ts"

/** The strokes of each icon, on a grid of 24 by 24. */
const strokes = {
  menu: "M4 6.5h16M4 12h16M4 17.5h16",
  close: "M6 6l12 12M18 6L6 18",
  search: "M10.5 4a6.500 6.500 0 100 13 6.500 6.500 0 000-13zM15.500 15.500L20.500 20.500",
  auto: "M12 3.500a8.500 8.500 0 100 17 8.500 8.500 0 000-17zM12 3.500v17M12 8l5.500-2.500M12 12.500l8-3.500M12 17l7.500-3.500",
  sun: "M12 8a4 4 0 100 8 4 4 0 000-8zM12 2.500v2M12 19.500v2M4.500 12h-2M21.500 12h-2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M5.300 18.700l1.400-1.400M17.300 6.700l1.400-1.400",
  moon: "M20 14.500A8.500 8.500 0 019.500 4a8.500 8.500 0 1010.500 10.500z",
  download: "M12 4v11.500M7.500 11l4.500 4.500 4.500-4.500M4 15.500V20h16v-4.500"
} as const

/** A decorative icon, hidden from screen readers: the element around it must carry the meaning. */
export const icon = (name: keyof typeof strokes, more: Readonly<Record<string, string>> = {}): Element =>
  h(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", ...more },
    h("path", { d: strokes[name] })
  )
