import { expect, test } from "bun:test"
import { tokens } from "../../../src/enrich/embedding/Tokens.ts"

const table: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["", []],
  [" \n\t…!?", []],
  ["Libraries and Boxes", ["library", "and", "box"]],
  ["Node.js", ["node", "js"]],
  ["C++, C# or F#", ["cpp", "csharp", "or", "fsharp"]],
  ["PostgreSQL", ["postgresql", "postgre", "sql"]],
  ["makeHTTPRequest", ["makehttprequest", "make", "httprequest"]],
  ["Café ÉCOLE naïve Łódź straße", ["cafe", "ecole", "naive", "lodz", "strasse"]],
  ["ｆｕｌｌ ﬁle", ["full", "file"]],
  ["機械学習", ["機械", "械学", "学習"]],
  ["用Python写", ["用", "python", "写"]],
  ["한국어", ["한국", "국어"]],
  ["Привет, Ёлка", ["привет", "елка"]],
  ["ΟΔΟΣ οδός", ["οδοσ", "οδοσ"]],
  ["हिन्दी", ["हिन्दी"]],
  ["\ud800 word \udfff", ["word"]],
  ["x".repeat(41), []]
]

for (const [text, expected] of table)
  test(`tokens splits ${JSON.stringify(text.slice(0, 30))}`, () => {
    expect(tokens(text)).toEqual(expected)
  })

test("tokens stops after 2,000 words", () => {
  expect(tokens("word ".repeat(5000))).toHaveLength(2000)
  expect(tokens("字".repeat(50_000))).toHaveLength(2000)
})
