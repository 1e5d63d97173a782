import { addIcons } from "./Icon.tsx"

/** The paths of the icons that no first paint needs. */
const laterIcons = {
  chevron: "M14.5 5.5L8 12l6.5 6.5",
  edit: "M4 20h4L19.5 8.5l-4-4L4 16zM13.5 6.5l4 4",
  chart: "M5 20v-9M12 20V4M19 20v-6",
  refresh: "M20 11a8 8 0 10-2.3 6.3M20 5v6h-6",
  rows: "M4 6h16M4 10h16M4 14h16M4 18h16",
  cards: "M4 5h16v6H4zM4 14h16v5H4z",
  grid: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  shuffle: "M4 7h3l9 10h4M4 17h3l3-3.3M13 10.3L16 7h4M17.5 4.5L20 7l-2.5 2.5M17.5 14.5L20 17l-2.5 2.5",
  link: "M10 14a4 4 0 005.7 0l3-3A4 4 0 0013 5.3l-1 1M14 10a4 4 0 00-5.7 0l-3 3A4 4 0 0011 18.7l1-1",
  listen: "M4 9.5h3.5L12 5.5v13L7.5 14.5H4zM15 9a4 4 0 010 6M17.5 6.5a8 8 0 010 11",
  play: "M8 5.5l11 6.5-11 6.5z",
  pause: "M8.5 5.5v13M15.5 5.5v13",
  print: "M7 8.5V4h10v4.5M7 16.5H4v-8h16v8h-3M7 13.5h10V20H7z",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  undo: "M9 5L4.5 9.5 9 14M4.5 9.5H14a5.5 5.5 0 010 11h-3",
  redo: "M15 5l4.5 4.5L15 14M19.5 9.5H10a5.5 5.5 0 000 11h3",
  upload: "M12 16V4.5M7.5 9L12 4.5 16.5 9M4 15.5V20h16v-4.5",
  download: "M12 4v11.5M7.5 11l4.5 4.5 4.5-4.5M4 15.5V20h16v-4.5",
  up: "M6 15l6-6 6 6",
  read: "M12 6.5C10 5 7 4.5 3.5 4.5v13.5c3.5 0 6.5.5 8.5 2 2-1.5 5-2 8.5-2V4.5C17 4.5 14 5 12 6.5zM12 6.5V20",
  contents: "M8.5 6.5H20M8.5 12H20M8.5 17.5H20M4 6.5h.01M4 12h.01M4 17.5h.01",
  text: "M3.5 18.5L8.5 6l5 12.5M5.3 14.5h6.4M15.5 18.5l2.9-7.5 2.9 7.5M16.5 16h3.8",
  external: "M13.5 4.5h6v6M19.5 4.5L11 13M17 14v5.5H4.5V7H10"
} as const

export type LaterIcons = typeof laterIcons

addIcons(laterIcons)
