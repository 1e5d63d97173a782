import { expect, test } from "bun:test"
import { differences } from "../../web/app/difference.ts"

const parts = (...texts: ReadonlyArray<string>) =>
  differences(texts).map(([start, end], at) => texts[at]?.slice(start, end))

for (const [what, texts, expected] of [
  ["a part in the middle", ["https://a.example/x", "https://www.a.example/x"], ["", "www."]],
  ["a part at the end", ["https://a.example/x", "https://a.example/x?y=1"], ["", "?y=1"]],
  ["a part at the start", ["http://a.example/", "https://a.example/"], ["", "s"]],
  ["all that differs in any of three", ["/a/b/c", "/a/x/c", "/a/b/cc"], ["b/", "x/", "b/c"]],
  ["nothing of equal texts", ["abc", "abc"], ["", ""]],
  ["everything where nothing is shared", ["ab", "cd"], ["ab", "cd"]],
  ["no sign twice where beginning and end overlap", ["aa", "aaa"], ["", "a"]],
  ["nothing of one alone", ["abc"], [""]],
  ["an empty text", ["", "abc"], ["", "abc"]]
] as const)
  test(`marks ${what}`, () => expect(parts(...texts)).toEqual([...expected]))

test("of no texts there are none", () => expect(differences([])).toEqual([]))
