import type { PlainLink } from "../../../src/domain/ExportedLink.ts"
import { randomOf } from "../../support/randomLibrary.ts"

/** An exported link that says nothing but this. */
export const exportedLink = (said: Partial<PlainLink>): PlainLink => {
  const createdAt = said.createdAt ?? "2024-01-02T03:04:05.000Z"
  return {
    url: "https://example.org/",
    title: "",
    note: "",
    summary: "",
    description: "",
    tags: [],
    category: "uncategorized",
    collection: null,
    favorite: false,
    shareable: false,
    state: "read",
    updatedAt: createdAt,
    ...said,
    createdAt
  }
}

const PIECES = [
  ..."<>&\"'`=/\\[](){};,|#-*\t\n\r\u00a0\u2028\u200b\ufeff ",
  ...[
    "  ",
    "\r\n",
    "\n\n",
    "&amp;",
    "&#10;",
    "</A>",
    "<DD>",
    "</DL>",
    "<br>",
    '""',
    "ä",
    "ß",
    "日本語",
    "🐦‍⬛",
    "e\u0301"
  ],
  ...["word", "Another", "https://x.example", "true", "=1+1", "\u202e"]
]

/** `count` links whose texts are made of whatever is hostile to a file format, and of any character at all. */
export const randomExport = (seed: number, count: number): ReadonlyArray<PlainLink> => {
  const random = randomOf(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const character = (): string => {
    const point = 1 + below(random() < 0.5 ? 0x2ff : 0x10ffff)
    return point >= 0xd800 && point <= 0xdfff ? "\ufffd" : String.fromCodePoint(point)
  }
  const text = (most: number) =>
    Array.from({ length: below(most) }, () =>
      random() < 0.7 ? (PIECES[below(PIECES.length)] ?? "") : character()
    ).join("")
  const time = () => new Date(Date.UTC(1995, 0, 1) + below(9e11)).toISOString()
  return Array.from({ length: count }, (_, index) => ({
    url: `https://example.org/${index}?q=${encodeURIComponent(text(4))}&r='"<>`,
    title: text(6),
    note: random() < 0.3 ? "" : text(30),
    summary: text(12),
    description: text(12),
    tags: ["rust", "web-dev", "日本語", "c", "self-hosting"].filter(() => random() < 0.3),
    category: "reading",
    collection: random() < 0.3 ? null : `c${below(3)}${"<&\" '>  \n".slice(0, below(9))}x`,
    favorite: random() < 0.5,
    shareable: random() < 0.5,
    state: random() < 0.5 ? "read" : "unread",
    createdAt: time(),
    updatedAt: time()
  }))
}
