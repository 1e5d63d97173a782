/** @jsxImportSource preact */
import type { LaterIcons } from "./laterIcons.ts"

/** The paths of the icons of the first paint and of the public list, on a 24 by 24 grid. */
const firstIcons = {
  star: "M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9L12 16.9l-5.2 2.8 1-5.9L3.5 9.7l5.9-.8z",
  share:
    "M12 3a9 9 0 100 18 9 9 0 000-18zM3.5 12h17M12 3c2.5 2.6 3.7 5.6 3.7 9S14.5 18.4 12 21c-2.5-2.6-3.7-5.6-3.7-9S9.5 5.6 12 3z",
  tag: "M4 4h7.5l8.5 8.5-7.5 7.5L4 11.5zM8 8h.01",
  folder:
    "M3.5 6.5A1.5 1.5 0 015 5h4l2 2.5h8a1.5 1.5 0 011.5 1.5v8.5A1.5 1.5 0 0119 19H5a1.5 1.5 0 01-1.5-1.5z",
  trash: "M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 13h9l1-13M10 11v5.5M14 11v5.5",
  search: "M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.5 15.5L20.5 20.5",
  close: "M6 6l12 12M18 6L6 18",
  more: "M4.5 12a.7.7 0 101.4 0 .7.7 0 10-1.4 0M11.3 12a.7.7 0 101.4 0 .7.7 0 10-1.4 0M18.1 12a.7.7 0 101.4 0 .7.7 0 10-1.4 0",
  menu: "M4 6.5h16M4 12h16M4 17.5h16",
  plus: "M12 5v14M5 12h14",
  check: "M5 12.5l4.5 4.5L19 7.5",
  sun: "M12 8a4 4 0 100 8 4 4 0 000-8zM12 2.5V4M12 20v1.5M4 12H2.5M21.5 12H20M5.6 5.6l1 1M17.4 17.4l1 1M5.6 18.4l1-1M17.4 6.6l1-1",
  moon: "M20 14.5A8.5 8.5 0 019.5 4a8.5 8.5 0 1010.5 10.5z",
  auto: "M12 3a9 9 0 100 18 9 9 0 000-18zM12 3v18M12 8l6-3M12 13l8.5-3M12 18l7-3",
  display: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  archive: "M4 4.5h16v4H4zM5.5 8.5V19.5h13V8.5M10 12.5h4",
  unread: "M12 7.5a4.5 4.5 0 100 9 4.5 4.5 0 000-9z",
  all: "M4 7h16v12H4zM7 4h10",
  inbox: "M4 13l2.5-8h11l2.5 8v6H4zM4 13h5l1.5 2.5h3L15 13h5",
  copies: "M8 8h12v12H8zM16 8V4H4v12h4",
  clock: "M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l3.5 2",
  keyboard: "M3 6.5h18v11H3zM7 10h.01M10.5 10h.01M14 10h.01M17.5 10h.01M8 14h8",
  similar: "M9 5a4 4 0 100 8 4 4 0 000-8zM15 11a4 4 0 100 8 4 4 0 000-8z",
  down: "M6 9l6 6 6-6",
  highlight: "M9 14.5l-1.5 4h4l1.5-2M9 14.5L17 4.5l4 3.5-8 8.5zM3.5 20.5h17",
  attention: "M12 4L3 19.5h18zM12 10v4.5M12 17h.01",
  settings: "M12 3l7.8 4.5v9L12 21l-7.8-4.5v-9zM12 9a3 3 0 100 6 3 3 0 000-6z",
  category: "M12 4l8.5 4-8.5 4-8.5-4zM3.5 12l8.5 4 8.5-4M3.5 16l8.5 4 8.5-4",
  help: "M12 3a9 9 0 100 18 9 9 0 000-18zM9.5 9.5a2.5 2.5 0 114 2c-1 .7-1.5 1.2-1.5 2.3M12 17h.01",
  exit: "M13.5 4.5H5v15h8.5M10 12h10M16.5 8.5L20 12l-3.5 3.5",
  feed: "M5 19h.01M5 12a7 7 0 017 7M5 5a14 14 0 0114 14"
} as const

export type IconName = keyof typeof firstIcons | keyof LaterIcons

const paths: { readonly [name in IconName]?: string } = firstIcons

/** Adds the icons of the parts that load later. */
export const addIcons = (more: LaterIcons): void => {
  Object.assign(paths, more)
}

/** A decorative icon; its container provides the label. */
export const Icon = ({ filled = false, name }: { readonly name: IconName; readonly filled?: boolean }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" {...(filled ? { "data-fill": "" } : {})}>
    <path d={paths[name]} />
  </svg>
)
