import { describe, expect } from "bun:test"
import { FastCheck as fc } from "effect"
import { snapTags } from "../../src/domain/TagVocabulary.ts"
import { normalizeCategory, reuseCategory } from "../../src/shared/Category.ts"
import {
  foldLabel,
  isPrivateTag,
  MAX_TAGS,
  normalizeOwnerTag,
  normalizeTag,
  normalizeTags
} from "../../src/shared/Tags.ts"
import { always, strangeJson, strangeText } from "../support/strange.ts"

const length = (text: string) => Array.from(text).length

describe("a random label", () => {
  always("is folded idempotently", strangeText(), (raw) => {
    const folded = foldLabel(raw)
    expect(foldLabel(folded.slice(0, 400))).toBe(folded.slice(0, 400).trimStart())
    expect(folded).not.toMatch(/\p{Cf}/u)
  })
})

describe("a random tag", () => {
  always(
    "is normalized idempotently to hyphenated words of at most 40 characters",
    strangeText(),
    (raw) => {
      const tag = normalizeTag(raw)
      expect(tag).toMatch(/^(?:[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*)?$/u)
      expect(length(tag)).toBeLessThanOrEqual(40)
      expect(tag).toBe(tag.toLowerCase())
      expect(normalizeTag(tag)).toBe(tag)
    },
    1_500
  )

  always(
    "is one of at most eight in a list",
    fc.tuple(fc.array(fc.oneof(strangeText(4), strangeJson()), { maxLength: 20 }), strangeText(4)),
    ([raw, category]) => {
      const tags = normalizeTags(raw, category)
      expect(tags.length).toBeLessThanOrEqual(MAX_TAGS)
      expect(new Set(tags).size).toBe(tags.length)
      expect(tags).not.toContain(normalizeTag(category))
      expect(normalizeTags(tags, category)).toEqual(tags)
    }
  )
})

describe("a tag of a page or file", () => {
  const names = fc.constantFrom("health", "k8s", "tool", "net", "js", "日本語", "c++", "über")
  const written = fc.tuple(
    fc.constantFrom("", ".", "..", " .", "#.", ".#"),
    names,
    fc.constantFrom("", "s", "es", ".")
  )
  const owners = fc.array(names.map((name) => ({ name: `.${name}`, count: 9 })))
  always(
    "never becomes private",
    fc.tuple(
      fc.array(
        fc.oneof(
          written.map((parts) => parts.join("")),
          strangeText(4),
          strangeJson()
        ),
        { maxLength: 9 }
      ),
      owners,
      fc.array(fc.record({ name: names, count: fc.nat(20) }))
    ),
    ([raw, hidden, inUse]) =>
      expect(snapTags(normalizeTags(raw, null), [...hidden, ...inUse]).filter(isPrivateTag)).toEqual([]),
    400
  )

  always("is private with a leading dot in the owner's own file", names, (name) => {
    expect(isPrivateTag(normalizeOwnerTag(name))).toBe(false)
    expect(isPrivateTag(normalizeOwnerTag(`.${name}`))).toBe(name !== "net")
  })
})

describe("a random category", () => {
  always(
    "is normalized idempotently to at most four words and 40 characters",
    strangeText(),
    (raw) => {
      const category = normalizeCategory(raw)
      if (category === null) return
      expect(category).toMatch(/^[\p{L}\p{M}\p{N}&+#. -]+$/u)
      expect(category).toMatch(/[\p{L}\p{M}\p{N}]/u)
      expect(category.split(" ").length).toBeLessThanOrEqual(4)
      expect(category).toBe(category.trim().toLowerCase())
      expect(length(category)).toBeLessThanOrEqual(40)
      expect(normalizeCategory(category)).toBe(category)
    },
    1_500
  )

  always(
    "is reused or kept",
    fc.tuple(strangeText(6), fc.array(strangeText(6), { maxLength: 6 })),
    ([name, existing]) => expect([name, ...existing]).toContain(reuseCategory(name, existing))
  )
})
