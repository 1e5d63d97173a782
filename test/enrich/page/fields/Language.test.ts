import { expect, test } from "bun:test"
import { languageOf } from "../../../../src/enrich/page/fields/Language.ts"

for (const [written, tag] of [
  ["en", "en"],
  ["EN_us", "en-US"],
  ["de_DE.UTF-8", "de-DE"],
  ["fr, en", "fr"],
  ["english", null],
  ["", null],
  ["und", null],
  ["zxx", null],
  ["mul", null],
  ["qme", null],
  ["art", null],
  [`en-${"x".repeat(1_000)}`, null]
] as const)
  test(`the language ${JSON.stringify(written.slice(0, 20))} is ${tag}`, () =>
    expect(languageOf(written)).toBe(tag))
