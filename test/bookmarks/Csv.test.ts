import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { table } from "../../src/bookmarks/Csv.ts"
import { effectTest } from "../support/effect.ts"

const it = effectTest(Layer.empty)

const lines = (text: string) =>
  Effect.map(table(text), ({ rows, unreadable }) => ({
    rows: rows.map(({ cells, line }) => [line, ...cells]),
    unreadable: unreadable.map(({ place }) => place)
  }))

describe("table", () => {
  for (const [name, end] of [
    ["Unix", "\n"],
    ["Windows", "\r\n"],
    ["an old Mac", "\r"]
  ] as const)
    it(
      `counts the line a record begins on, with line breaks of ${name}`,
      Effect.map(lines(["a,b", "1,2", "", '"x', "", 'y",3', "4,5", ""].join(end)), ({ rows }) =>
        expect(rows).toEqual([
          [2, "1", "2"],
          [4, "x\n\ny", "3"],
          [7, "4", "5"]
        ])
      )
    )

  it(
    "keeps quotation marks that quote nothing",
    Effect.map(lines('a,b\n1,say "hi"\n2,"ab"c\n3,d'), ({ rows }) =>
      expect(rows).toEqual([
        [2, "1", 'say "hi"'],
        [3, "2", '"ab"c'],
        [4, "3", "d"]
      ])
    )
  )

  it(
    "reports a row whose quotation mark is never closed, and reads on below it",
    Effect.map(lines('a,b\n1,2\n\n3,"open\n5,6\n\n7,8\n'), (read) =>
      expect(read).toEqual({
        rows: [
          [2, "1", "2"],
          [5, "5", "6"],
          [7, "7", "8"]
        ],
        unreadable: [4]
      })
    )
  )

  it(
    "gives up on a text that is broken again and again",
    Effect.map(lines(`a,b\n${'"'.repeat(3)}x\n`.repeat(200)), ({ unreadable }) =>
      expect(unreadable.length).toBeLessThan(30)
    )
  )

  it(
    "reads an empty text as an empty table",
    Effect.map(table(""), (read) => expect(read).toEqual({ columns: [], rows: [], unreadable: [] }))
  )
})
