import { describe, expect, test } from "bun:test"
import { type AddressMeaning, meantAddresses } from "../../src/telegram/LinkDetection.ts"
import { rowsOf } from "../support/rows.ts"
import { entitiesOf } from "../support/telegramEntities.ts"

const meant = (text: string): Readonly<Record<string, AddressMeaning>> => {
  const marked = entitiesOf(text)
    .filter(({ type }) => type === "url")
    .map(({ length, offset }) => ({ start: offset, end: offset + length }))
  return Object.fromEntries(
    meantAddresses(text, marked).map(({ end, meaning, start }) => [text.slice(start, end), meaning])
  )
}

describe("meantAddresses", () => {
  for (const [kind, text, wanted] of rowsOf<
    readonly [kind: string, text: string, meant: Readonly<Record<string, AddressMeaning>>]
  >(import.meta, "LinkDetection"))
    test(`${kind}: ${JSON.stringify(text)}`, () => expect(meant(text)).toEqual({ ...wanted }))

  test("accepts marks that are no addresses", () => {
    const whole = (text: string) => meantAddresses(text, [{ start: 0, end: text.length }])[0]?.meaning
    for (const text of [
      "wait...what",
      "i.e",
      "U.S",
      "a@b.com",
      "3.14",
      "localhost",
      "x",
      "..",
      "a..com",
      "-.com"
    ])
      expect(whole(text)).toBe("text")
  })

  test("takes the longest message and a thousand addresses", () => {
    const text = Array.from({ length: 340 }, (_, index) => `a${index}.example`).join(" ")
    const marked = [...text.matchAll(/\S+/g)].map(({ 0: one, index }) => ({
      start: index,
      end: index + one.length
    }))
    expect(new Set(meantAddresses(text, marked).map(({ meaning }) => meaning))).toEqual(new Set(["link"]))
    expect(meantAddresses("a.".repeat(50_000), [{ start: 0, end: 100_000 }])[0]?.meaning).toBe("text")
  })
})
