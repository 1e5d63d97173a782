import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { foldings, foldScripts, markedPositions, withoutMarks } from "../../src/shared/ScriptFolding.ts"
import { emptyLibrary } from "../support/library.ts"
import { spelledAlike } from "../support/spelledAlike.ts"

for (const [written, other] of spelledAlike)
  test(`${written} and ${other} are spelled alike`, () => {
    expect(withoutMarks(written)).toBe(withoutMarks(other))
    expect(foldScripts(written)).toHaveLength(written.length)
    const plain = withoutMarks(written)
    expect(markedPositions(written).map((at) => foldScripts(written)[at])).toEqual(plain.split(""))
  })

test("other texts stay as they are", () => {
  for (const text of ["", "Café naïve", "Привет", "Ελλάδα", "日本語", "ไทย", "한국어", "👩‍👩‍👧 ok"])
    expect(foldScripts(text)).toBe(text)
})

test("the library replaces the same spellings", async () => {
  const stored = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ written: string; folded: string }>`SELECT written, folded FROM spellings ORDER BY place`
  )
  expect(await Effect.runPromise(Effect.provide(stored, emptyLibrary()))).toEqual(
    foldings.map(([written, folded]) => ({ written, folded }))
  )
})
