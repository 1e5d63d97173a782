/** @jsxImportSource preact */
/** The paths of each icon, on a 24 by 24 grid. */
const paths = {
  star: "M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9L12 16.9l-5.2 2.8 1-5.9L3.5 9.7l5.9-.8z",
  share:
    "M12 3a9 9 0 100 18 9 9 0 000-18zM3.5 12h17M12 3c2.5 2.6 3.7 5.6 3.7 9S14.500 18.400 12 21c-2.500-2.600-3.700-5.600-3.700-9S9.500 5.600 12 3z",
  tag: "M4 4h7.500l8.500 8.500-7.500 7.500L4 11.500zM8 8h.01",
  folder:
    "M3.500 6.500A1.500 1.500 0 015 5h4l2 2.500h8a1.500 1.500 0 011.500 1.500v8.500A1.500 1.500 0 0119 19H5a1.500 1.500 0 01-1.500-1.500z",
  edit: "M4 20h4L19.500 8.500l-4-4L4 16zM13.500 6.500l4 4",
  refresh: "M20 11a8 8 0 10-2.300 6.300M20 5v6h-6",
  trash: "M4.500 7h15M9.500 7V4.500h5V7M6.500 7l1 13h9l1-13M10 11v5.500M14 11v5.500",
  search: "M10.500 4a6.500 6.500 0 100 13 6.500 6.500 0 000-13zM15.500 15.500L20.500 20.500",
  close: "M6 6l12 12M18 6L6 18",
  more: "M4.500 12a.7.7 0 101.400 0 .7.7 0 10-1.400 0M11.300 12a.7.7 0 101.400 0 .7.7 0 10-1.400 0M18.100 12a.7.7 0 101.400 0 .7.7 0 10-1.400 0",
  menu: "M4 6.500h16M4 12h16M4 17.500h16",
  plus: "M12 5v14M5 12h14",
  check: "M5 12.500l4.500 4.500L19 7.500",
  sun: "M12 8a4 4 0 100 8 4 4 0 000-8zM12 2.500V4M12 20v1.500M4 12H2.500M21.500 12H20M5.600 5.600l1 1M17.400 17.400l1 1M5.600 18.400l1-1M17.400 6.600l1-1",
  moon: "M20 14.500A8.500 8.500 0 019.500 4a8.500 8.500 0 1010.500 10.500z",
  auto: "M12 3a9 9 0 100 18 9 9 0 000-18zM12 3v18M12 8l6-3M12 13l8.500-3M12 18l7-3",
  rows: "M4 6h16M4 10h16M4 14h16M4 18h16",
  cards: "M4 5h16v6H4zM4 14h16v5H4z",
  all: "M4 7h16v12H4zM7 4h10",
  inbox: "M4 13l2.500-8h11l2.500 8v6H4zM4 13h5l1.500 2.500h3L15 13h5",
  copies: "M8 8h12v12H8zM16 8V4H4v12h4",
  link: "M10 14a4 4 0 005.700 0l3-3A4 4 0 0013 5.300l-1 1M14 10a4 4 0 00-5.700 0l-3 3A4 4 0 0011 18.700l1-1",
  clock: "M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l3.500 2",
  keyboard: "M3 6.500h18v11H3zM7 10h.01M10.500 10h.01M14 10h.01M17.500 10h.01M8 14h8",
  similar: "M9 5a4 4 0 100 8 4 4 0 000-8zM15 11a4 4 0 100 8 4 4 0 000-8z",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  upload: "M12 16V4.500M7.500 9L12 4.500 16.500 9M4 15.500V20h16v-4.500",
  download: "M12 4v11.500M7.500 11l4.500 4.500 4.500-4.500M4 15.500V20h16v-4.500",
  feed: "M5 19h.01M5 12a7 7 0 017 7M5 5a14 14 0 0114 14"
} as const

export type IconName = keyof typeof paths

/** A decorative icon; its container provides the label. */
export const Icon = ({ filled = false, name }: { readonly name: IconName; readonly filled?: boolean }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" {...(filled ? { "data-fill": "" } : {})}>
    <path d={paths[name]} />
  </svg>
)
