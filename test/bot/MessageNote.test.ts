import { describe, expect, test } from "bun:test"
import { messageNote, messageTags } from "../../src/bot/MessageNote.ts"
import { messageText } from "../../src/bot/MessageText.ts"
import { messageUrls } from "../../src/bot/MessageUrls.ts"

/** A message as a client without marks sends it, but for its hashtags. */
const read = (text: string) => {
  const entities = [...text.matchAll(/#\w+/g)].map(({ 0: tag, index }) => ({
    type: "hashtag",
    offset: index,
    length: tag.length
  }))
  const message = { text, entities }
  const said = messageText(message)
  const tags = messageTags(said)
  return { tags, note: messageNote(said, messageUrls(message, said).ranges, tags) }
}

const notes: ReadonlyArray<readonly [text: string, note: string]> = [
  ["https://e.org/a", ""],
  ["  https://e.org/a  \n ", ""],
  ["for later: https://e.org/a", "for later"],
  ["https://e.org/a - worth a look", "worth a look"],
  ["https://e.org/a, for the rewrite", "for the rewrite"],
  ["read https://e.org/a, then https://e.org/b.", "read, then."],
  ["see (https://e.org/a) first", "see first"],
  ["see [https://e.org/a]", "see"],
  ["(see https://e.org/a)", "(see)"],
  ["(https://e.org/a is best)", "(is best)"],
  ["is it https://e.org/a?", "is it?"],
  ["one\n\nhttps://e.org/a\n\ntwo", "one two"],
  ["call foo() first https://e.org/a", "call foo() first"],
  ["(see) https://e.org/a", "(see)"],
  ["1) https://e.org/a 2) https://e.org/b", "1) 2)"],
  ["voilà : ceci https://e.org/a", "voilà : ceci"],
  ["-5 degrees https://e.org/a", "-5 degrees"],
  ["try --flag https://e.org/a", "try --flag"],
  ["🦜 café https://e.org/ü 👩‍👩‍👧", "🦜 café 👩‍👩‍👧"],
  ["(((https://e.org/a", ""],
  [" , ; : - https://e.org/a - : ; , ", ""]
]

describe("messageNote", () => {
  for (const [text, note] of notes)
    test(`makes ${JSON.stringify(note)} of ${JSON.stringify(text)}`, () => expect(read(text).note).toBe(note))

  test("leaves out the hashtags that have become tags, and keeps the rest", () => {
    const text = "#a1 #b2 #c3 and #d4 #e5 #f6 #g7 #h8 but #ninth https://e.org/a"
    expect(read(text)).toEqual({
      tags: ["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"],
      note: "and but #ninth"
    })
  })

  test("survives ranges that overlap and brackets without end", () => {
    const said = { text: "abcdef", entities: [] }
    const ranges = [
      { start: 1, end: 4 },
      { start: 2, end: 3 },
      { start: 3, end: 5 }
    ]
    expect(messageNote(said, ranges, [])).toBe("a f")
    const deep = `${"(".repeat(100_000)} https://e.org/a ${")".repeat(100_000)}`
    expect(read(deep).note).toBe("")
  })
})
