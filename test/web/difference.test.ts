import { expect, test } from "bun:test"
import { differences } from "../../web/app/difference.ts"

const parts = (...texts: ReadonlyArray<string>) =>
  differences(texts).map(([start, end], at) => texts[at]?.slice(start, end))

for (const [what, texts, expected] of [
  ["a part in the middle", ["https://a.example/x", "https://www.a.example/x"], ["", "www."]],
  ["a part at the end", ["https://a.example/x", "https://a.example/x?y=1"], ["", "?y=1"]],
  ["a part at the start", ["http://a.example/", "https://a.example/"], ["", "s"]],
  ["everything that differs in one of three", ["/a/b/c", "/a/x/c", "/a/b/cc"], ["b/", "x/", "b/c"]],
  ["nothing in equal texts", ["abc", "abc"], ["", ""]],
  ["everything if nothing is shared", ["ab", "cd"], ["ab", "cd"]],
  ["no character twice if beginning and end overlap", ["aa", "aaa"], ["", "a"]],
  ["nothing in a single text", ["abc"], [""]],
  ["an empty text", ["", "abc"], ["", "abc"]]
] as const)
  test(`marks ${what}`, () => expect(parts(...texts)).toEqual([...expected]))

test("marks nothing for no texts", () => expect(differences([])).toEqual([]))
