import { describe, expect } from "bun:test"
import { FastCheck as fc, Schema } from "effect"
import { Capture } from "../../src/domain/Capture.ts"
import { readMarks } from "../../src/domain/LinkQuery.ts"
import { addToNote, joinNotes, replaceNote } from "../../src/domain/Note.ts"
import { pictureOf } from "../../src/domain/Picture.ts"
import { MAX_NOTE } from "../../src/shared/Limits.ts"
import { cleanLine } from "../../src/shared/Text.ts"
import { always, isClean, strangeJson, strangeText } from "../support/strange.ts"

describe("plainText of a random text", () => {
  always(
    "is one clean line within its limit and stays the same",
    fc.tuple(strangeText(), fc.integer({ min: 1, max: 300 })),
    ([raw, limit]) => {
      const clean = cleanLine(raw, limit)
      expect(isClean(clean)).toBe(true)
      expect(clean.length).toBeLessThanOrEqual(limit)
      expect(clean).not.toMatch(/^\s|\s$|\s{2}|[^\S ]/)
      expect(cleanLine(clean, limit)).toBe(clean)
    },
    1_500
  )
})

describe("a random note", () => {
  always(
    "includes another text once within its limit",
    fc.tuple(strangeText(10), strangeText(10)),
    ([note, more]) => {
      const joined = joinNotes(note, more)
      expect(joined.length).toBeLessThanOrEqual(Math.max(MAX_NOTE, note.length))
      expect(joinNotes(joined, more)).toBe(joined)
      expect(joined.startsWith(note)).toBe(true)
    }
  )

  always(
    "is cut between characters at its limit",
    fc.tuple(fc.integer({ min: MAX_NOTE - 4, max: MAX_NOTE + 4 }), strangeText(10)),
    ([length, more]) => {
      const joined = addToNote("x".repeat(length), `🦜${more.toWellFormed()}`).note
      expect(joined.length).toBeLessThanOrEqual(Math.max(MAX_NOTE, length))
      expect(joined.isWellFormed()).toBe(true)
    }
  )

  always(
    "is changed only in the lines of the edited message",
    fc.tuple(fc.array(strangeText(3), { maxLength: 4 }), strangeText(3), strangeText(3)),
    ([lines, before, now]) => {
      const others = lines.map((line) => line.replaceAll("\n", " ").trim()).filter((line) => line !== "")
      const [said, says] = [before.replaceAll("\n", " ").trim(), now.replaceAll("\n", " ").trim()]
      if (said === "" || says === "" || others.includes(said) || others.includes(says)) return
      expect(replaceNote([...others, said].join("\n"), said, says).note).toBe([...others, says].join("\n"))
      const full = `${said}\n`.padEnd(MAX_NOTE, "x")
      expect(replaceNote(full, said, says).note.length).toBeLessThanOrEqual(MAX_NOTE)
    }
  )
})

describe("random marks", () => {
  always("yield ordered ranges within the text", strangeText(), (marked) => {
    const { ranges, text } = readMarks(marked)
    expect(text).toBe(marked.replace(/[\ufdd0\ufdd1]/g, ""))
    let at = 0
    for (const [start, end] of ranges) {
      expect(start).toBeGreaterThanOrEqual(at)
      expect(end).toBeGreaterThan(start)
      at = end
    }
    expect(at).toBeLessThanOrEqual(text.length)
  })
})

describe("a random picture", () => {
  const beginnings = ["\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF89a", "RIFF....WEBPVP", "....ftypavif", "BM"]
  const bytes = fc
    .tuple(fc.constantFrom("", ...beginnings, "\0\0\x01\0", "<svg", "<!--", "<?xml"), fc.uint8Array())
    .map(([start, rest]) => Buffer.concat([Buffer.from(start, "latin1"), rest]))
  always(
    "has a known type and its own bytes or is rejected",
    fc.tuple(fc.constantFrom("image" as const, "favicon" as const), bytes),
    ([kind, all]) => {
      const found = pictureOf(kind, all)
      if (found._tag === "None") return
      expect(found.value.type).toMatch(/^image\/(?:png|jpeg|gif|webp|avif|bmp|x-icon|svg\+xml)$/)
      expect(kind === "image" && /icon|svg/.test(found.value.type)).toBe(false)
      expect(found.value.bytes).toBe(all)
    }
  )
})

describe("a random capture", () => {
  const decode = Schema.decodeUnknownEither(Capture)
  const shape = fc.oneof(
    strangeJson(["url", "note", "title", "description", "selection"]),
    fc.record({ url: strangeText(4), title: strangeText(60), note: strangeText(4), selection: strangeJson() })
  )
  always("is rejected or within its limits", shape, (value) => {
    const read = decode(value)
    if (read._tag === "Left") return
    const { description = "", note = "", selection = "", title = "", url } = read.right
    expect(url.length).toBeLessThanOrEqual(8_192)
    expect(note.length).toBeLessThanOrEqual(MAX_NOTE)
    for (const hint of [description, selection, title]) expect(hint.length).toBeLessThanOrEqual(4_096)
  })
})
