import { expect, test } from "bun:test"
import { folded } from "../../src/shared/Fold.ts"

for (const [text, plain] of [
  ["CAFÉ", "cafe"],
  ["nai\u0308ve", "naive"],
  ["Żółć", "zołc"],
  ["İstanbul", "istanbul"],
  ["ﬁle", "file"],
  ["Ｆｕｌｌ", "full"],
  ["日本語", "日本語"],
  ["C++ & c#", "c++ & c#"],
  ["", ""]
] as const)
  test(`folded returns ${JSON.stringify(plain)} for ${JSON.stringify(text)}`, () =>
    expect(folded(text)).toBe(plain))
