import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { pictureOf } from "../../src/domain/Picture.ts"
import { avif, bmp, gif, icon, png, svg } from "../support/pictures.ts"

const bytesOf = (content: string | Uint8Array) =>
  typeof content === "string" ? Buffer.from(content) : content

const typeOf = (kind: "image" | "favicon", content: string | Uint8Array) =>
  Option.getOrUndefined(Option.map(pictureOf(kind, bytesOf(content)), ({ type }) => type))

const pixel = png(1, 1)

describe("pictureOf", () => {
  for (const [type, content] of [
    ["image/png", pixel],
    ["image/jpeg", "\xff\xd8\xff\xe0"],
    ["image/gif", gif],
    ["image/webp", "RIFF\x24\0\0\0WEBPVP8 "],
    ["image/avif", avif(64)],
    ["image/avif", "\0\0\0\x18ftypavif\0\0\0\0mif1avif"],
    ["image/bmp", bmp]
  ] as const)
    test(`recognizes ${type} as preview and icon`, () => {
      const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content
      expect([typeOf("image", bytes), typeOf("favicon", bytes)]).toEqual([type, type])
    })

  for (const [type, content] of [
    ["image/x-icon", icon(pixel)],
    ["image/svg+xml", svg],
    ["image/svg+xml", "<svg>"],
    ["image/svg+xml", "\ufeff <svg width='1'/>"],
    ["image/svg+xml", '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "a.dtd">\n<!-- > --><!----><svg\n/>']
  ] as const)
    test(`recognizes ${type} of ${content.length} bytes as icon only`, () => {
      expect([typeOf("image", content), typeOf("favicon", content)]).toEqual([undefined, type])
    })

  for (const [what, content] of [
    ["empty bytes", ""],
    ["a page", "<!doctype html><title>a</title><svg></svg>"],
    ["a page that begins with a comment", "<!-- a --><html><svg></svg></html>"],
    ["an element whose name begins like svg", "<svgfoo></svgfoo>"],
    ["a comment without an end", `<!-- ${"<svg>".repeat(10)}`],
    ["comments and no element", "<!---->".repeat(5_000)],
    ["text", "a PNG"],
    ["half a signature", "\x89PNG\r\n"],
    ["a video", "\0\0\0\x18ftypisom\0\0\0\0isommp42"],
    ["a media file without room for brands", "\0\0\0\x08ftyp"],
    ["audio", "RIFF\x24\0\0\0WAVEfmt "],
    ["an icon file without an entry", new Uint8Array([0, 0, 1, 0, 0, 0, ...new Uint8Array(16)])],
    ["an icon file whose entry lies outside", icon(pixel).subarray(0, 40)],
    ["a cursor", Uint8Array.from(icon(pixel), (byte, index) => (index === 2 ? 2 : byte))],
    ["a compressed SVG", Bun.gzipSync(Buffer.from(svg))],
    ["a document", "%PDF-1.7"]
  ] as const)
    test(`rejects ${what}`, () => {
      const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content
      expect([typeOf("image", bytes), typeOf("favicon", bytes)]).toEqual([undefined, undefined])
    })
})
