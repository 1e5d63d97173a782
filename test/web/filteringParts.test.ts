import { describe, expect, test } from "bun:test"
import { withoutToken } from "../../src/shared/SearchSyntax.ts"
import { filteringParts } from "../../web/app/filteringParts.ts"

describe("the filtering parts of a search text", () => {
  for (const [text, labels, words] of [
    ["", [], ""],
    ["rust effect", [], "rust effect"],
    ["rust tag:Web -is:shared fast", ["tag: web", "not shared"], "rust fast"],
    ["tag:web* added:7d", ["tag: web*", "added: 7d"], ""],
    ["(a or b) tag:x", ["tag: x"], "(a or b)"],
    ["go (tag:x or site:y) -(is:favorite b)", ["(tag:x or site:y)", "-(is:favorite b)"], "go"],
    ["go ((tag:x) or b", ["((tag:x) or b"], "go"],
    ["go tag:x or tag:y fast", ["go tag:x or tag:y fast"], ""],
    ["a or b", [], "a or b"]
  ] as const)
    test(`of ${JSON.stringify(text)} are ${labels.join(", ") || "none"}`, () => {
      const parts = filteringParts(text)
      expect(parts.map(({ label }) => label)).toEqual([...labels])
      expect(parts.reduceRight(withoutToken, text)).toBe(words)
    })
})
