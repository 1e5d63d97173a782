import { expect, test } from "bun:test"
import { piecesOf } from "../../../../src/enrich/embedding/encoder/Pieces.ts"

const vocabulary: ReadonlyArray<readonly [piece: string, score: number]> = [
  ["<s>", 0],
  ["<pad>", 0],
  ["</s>", 0],
  ["<unk>", 0],
  ["\u2581", -3],
  ["a", -4],
  ["b", -4],
  ["ab", -5],
  ["\u2581a", -5],
  ["\u2581abc", -6],
  ["fi", -5],
  ["🎹", -9],
  ["\u2581é", -7],
  ["abab", -7]
]
const divide = piecesOf({
  pieces: vocabulary.map(([piece]) => piece),
  scores: Float32Array.from(vocabulary, ([, score]) => score),
  folds: new Map([
    ["\ufb01", "fi"],
    ["\n", " "],
    ["\u200b", ""]
  ])
})
const pieces = (text: string) => divide(text).map((number) => vocabulary[number]?.[0])

test.each([
  ["abc", ["\u2581abc"]],
  ["ab", ["\u2581", "ab"]],
  // The likeliest division as a whole, not the longest piece first: -5 and -5 rather than -3, -5 and -4.
  ["aab", ["\u2581a", "ab"]],
  ["abab", ["\u2581", "abab"]],
  ["  a \n a  ", ["\u2581a", "\u2581a"]],
  ["\ufb01", ["\u2581", "fi"]],
  ["a\u200bb", ["\u2581", "ab"]],
  ["e\u0301", ["\u2581é"]],
  // A character outside the plane is one, known or not.
  ["🎹🎻", ["\u2581", "🎹", "<unk>"]],
  ["\ud800", ["\u2581", "<unk>"]],
  ["<s>", ["\u2581", "<unk>", "<unk>", "<unk>"]],
  ["", ["\u2581"]]
])("%j is divided into %j", (text, expected) => {
  expect(pieces(text)).toEqual(expected)
})
