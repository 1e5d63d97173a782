import { describe, expect, test } from "bun:test"
import { changesOf, matchesOf, piecesOf } from "../../../web/app/reader/changes.ts"
import { randomOf } from "../../support/randomLibrary.ts"

/** The length of the longest common subsequence, by the table of all prefixes. */
const longest = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): number => {
  let row = b.map(() => 0)
  for (const one of a) {
    const next: Array<number> = []
    b.forEach((other, at) => {
      next.push(one === other ? (row[at - 1] ?? 0) + 1 : Math.max(row[at] ?? 0, next[at - 1] ?? 0))
    })
    row = next
  }
  return row.at(-1) ?? 0
}

describe("what two versions share", () => {
  test("is as much as possible, in order", () => {
    const random = randomOf(7)
    const some = () =>
      Array.from({ length: Math.floor(random() * 30) }, () => "abcd"[Math.floor(random() * 4)] ?? "a")
    for (let n = 0; n < 500; n++) {
      const [before, after] = [some(), some()]
      const matches = matchesOf(before, after)
      let last = { before: -1, after: -1 }
      for (const match of matches) {
        expect(before[match.before]).toBe(after[match.after])
        expect(match.before > last.before && match.after > last.after).toBe(true)
        last = match
      }
      expect([before, after, matches.length]).toEqual([before, after, longest(before, after)])
    }
  })

  test("is looked for in bounded time", () => {
    const before = Array.from({ length: 50_000 }, (_, n) => `a${n}`)
    const after = Array.from({ length: 50_000 }, (_, n) => `b${n}`)
    expect(matchesOf(["x", ...before, "y"], ["x", ...after, "y"])).toEqual([
      { before: 0, after: 0 },
      { before: 50_001, after: 50_001 }
    ])
  })
})

describe("the changes of an article", () => {
  test("show words that were removed and added", () => {
    expect(piecesOf("The quick brown fox.", "The slow brown fox!")).toEqual([
      { kind: "same", text: "The " },
      { kind: "removed", text: "quick" },
      { kind: "added", text: "slow" },
      { kind: "same", text: " brown fox" },
      { kind: "removed", text: "." },
      { kind: "added", text: "!" }
    ])
  })

  test("put both versions together: what is same or removed is the earlier one, same or added the later one", () => {
    const random = randomOf(11)
    const text = () =>
      Array.from({ length: 20 }, () => ["so ", "it ", "is, ", "日本 ", "🦜 "][Math.floor(random() * 5)]).join(
        ""
      )
    for (let n = 0; n < 200; n++) {
      const [before, after] = [text(), text()]
      const pieces = piecesOf(before, after)
      const side = (gone: string) =>
        pieces.flatMap(({ kind, text }) => (kind === gone ? [] : [text])).join("")
      expect([side("added"), side("removed")]).toEqual([before, after])
    }
  })

  test("leave out unchanged paragraphs but for those beside a change", () => {
    const before = ["one", "two", "three", "four and some more words", "five", "six"]
    const after = ["one", "two", "three", "four and many more words", "five", "six", "seven"]
    const kinds = changesOf(before, after).map((change) =>
      change.kind === "gap" ? change.count : change.pieces.map(({ kind }) => kind[0]).join("")
    )
    expect(kinds).toEqual([2, "s", "sras", "s", "s", "a"])
    expect(changesOf(before, before)).toEqual([{ kind: "gap", count: 6 }])
  })

  test("show a paragraph that is another one as removed and added whole", () => {
    expect(changesOf(["Nothing of this stays."], ["Everything here was written later, at length."])).toEqual([
      {
        kind: "paragraph",
        pieces: [{ kind: "added", text: "Everything here was written later, at length." }]
      },
      { kind: "paragraph", pieces: [{ kind: "removed", text: "Nothing of this stays." }] }
    ])
  })
})
