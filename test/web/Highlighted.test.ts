import { describe, expect, test } from "bun:test"
import { type ComponentChildren, isValidElement } from "preact"
import { Highlighted } from "../../web/app/components/Highlighted.tsx"

/** The rendered text, with marked parts in brackets. */
const drawn = (node: ComponentChildren): string => {
  if (Array.isArray(node)) return node.map(drawn).join("")
  if (!isValidElement(node)) return typeof node === "string" ? node : ""
  const inner = drawn(node.props.children)
  return node.type === "mark" ? `[${inner}]` : inner
}

const marked = (text: string, ranges?: ReadonlyArray<readonly [number, number]>) =>
  drawn(Highlighted({ text, ranges }))

describe("highlighted text", () => {
  for (const [what, ranges, expected] of [
    ["nothing", undefined, "abcdef"],
    ["no range", [], "abcdef"],
    ["a range", [[1, 3]], "a[bc]def"],
    ["the whole", [[0, 6]], "[abcdef]"],
    [
      "ranges in any order",
      [
        [4, 5],
        [0, 2]
      ],
      "[ab]cd[e]f"
    ],
    [
      "ranges that overlap",
      [
        [1, 4],
        [2, 5]
      ],
      "a[bcd][e]f"
    ],
    [
      "a range in another",
      [
        [1, 5],
        [2, 3]
      ],
      "a[bcde]f"
    ],
    [
      "the same twice",
      [
        [1, 2],
        [1, 2]
      ],
      "a[b]cdef"
    ],
    [
      "ranges past the ends",
      [
        [-2, 1],
        [5, 99]
      ],
      "[a]bcde[f]"
    ],
    [
      "ranges of nothing",
      [
        [2, 2],
        [4, 3],
        [9, 12]
      ],
      "abcdef"
    ]
  ] as const)
    test(`marks ${what}`, () => expect(marked("abcdef", ranges)).toBe(expected))

  test("counts in UTF-16 units", () => expect(marked("😀 rust", [[3, 7]])).toBe("😀 [rust]"))

  test("loses no letter for any ranges", () => {
    for (let n = 0; n < 500; n++) {
      const ranges = Array.from(
        { length: n % 7 },
        (_, i) => [((n * 31 + i * 17) % 15) - 2, (n * 7 + i * 29) % 15] as const
      )
      expect(marked("abcdefghij", ranges).replace(/[[\]]/g, "")).toBe("abcdefghij")
    }
  })
})
