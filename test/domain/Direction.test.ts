import { expect, test } from "bun:test"
import { isRightToLeft, languageTag, startsRightToLeft } from "../../src/domain/Direction.ts"

test.each([
  ["ar", true],
  ["he-IL", true],
  ["ur-Aran", true],
  ["az-Arab", true],
  ["az", false],
  ["ja", false],
  ["", false],
  ["not a language", false],
  [null, false]
])("a page in %p is written from right to left: %p", (tag, expected) => {
  expect(isRightToLeft(tag)).toBe(expected)
})

test.each([
  ["שלום world", true],
  ["«2026: مرحبا»", true],
  ["ߒߞߏ", true],
  ["World שלום", false],
  ["日本語", false],
  ["2026", false],
  ["", false]
])("the text %p starts from right to left: %p", (text, expected) => {
  expect(startsRightToLeft(text)).toBe(expected)
})

test.each([
  ["en_us", "en-US"],
  [" pt-br ", "pt-BR"],
  ["x".repeat(65), undefined],
  ['"><script>', undefined],
  [undefined, undefined]
])("the tag of %p is %p", (tag, expected) => {
  expect(languageTag(tag)).toBe(expected)
})
