import { describe, expect, test } from "bun:test"
import {
  addressesInMarked,
  addressesInText,
  withoutTrailingPunctuation
} from "../../src/shared/TextAddresses.ts"
import { cpuTime } from "../support/cpuTime.ts"

const inText = (text: string) => addressesInText(text).map(({ end, start }) => text.slice(start, end))
const inMarked = (text: string) =>
  addressesInMarked(text, { start: 0, end: text.length }).map(({ end, start }) => text.slice(start, end))

/** Texts, each with the addresses in it. */
const texts: ReadonlyArray<readonly [text: string, ...addresses: ReadonlyArray<string>]> = [
  // Punctuation of any script.
  ...[
    "，后面的文字",
    "。",
    "！",
    "（分享自",
    "）",
    "」",
    "、次",
    "…",
    "—x",
    "“x”",
    "»",
    "،ثم",
    "؟",
    "؛",
    "।",
    "։",
    "።",
    "｜x",
    "»."
  ].map((rest) => [`看https://e.org/a${rest}`, "https://e.org/a"] as const),
  // Scripts without spaces, straight after a letter or a digit.
  ...["后面的文字", "を読む", "カタカナ", "ที่นี่", "에서", "ក្នុង", "😆", "→"].flatMap((rest) => [
    [`https://e.org/a${rest}`, "https://e.org/a"] as const,
    [`https://e.org/?id=5${rest}`, "https://e.org/?id=5"] as const,
    [`https://e.org${rest}`, "https://e.org"] as const
  ]),
  ["https://e.org/a),后面", "https://e.org/a"],
  ["https://e.org/a,后面", "https://e.org/a"],
  // Whole steps and hosts in another script.
  ["https://zh.example/wiki/中文 维基", "https://zh.example/wiki/中文"],
  ["https://ja.example/wiki/レオナルド・ダ・ヴィンチ。", "https://ja.example/wiki/レオナルド・ダ・ヴィンチ"],
  ["https://e.org/文章/hello?q=中文#第一", "https://e.org/文章/hello?q=中文#第一"],
  ["https://例え.テスト/パス、次", "https://例え.テスト/パス"],
  ["https://пример.рф/путь, дальше", "https://пример.рф/путь"],
  ["https://ar.example/wiki/مقال، ثم", "https://ar.example/wiki/مقال"],
  ["https://he.example/wiki/צה״ל", "https://he.example/wiki/צה״ל"],
  ["https://e.org/wiki/Foo–Bar", "https://e.org/wiki/Foo–Bar"],
  ["https://fa.example/می\u200cشود", "https://fa.example/می\u200cشود"],
  // Two joined addresses, and an address within another one.
  ...[",", ";", "|", "", "，", "、", "\u200b"].map(
    (between) => [`https://e.org/A${between}https://e.org/B`, "https://e.org/A", "https://e.org/B"] as const
  ),
  ["https://e.org/A/,https://e.org/B/", "https://e.org/A/", "https://e.org/B/"],
  ["https://web.example/web/2020/https://e.org/a", "https://web.example/web/2020/https://e.org/a"],
  ["https://e.org/go?u=https://e.org/b", "https://e.org/go?u=https://e.org/b"],
  // Invisible characters.
  ...["\u200b", "\u200d", "\u2060", "\ufeff", "\u202c", "\u00ad"].map(
    (invisible) => [`${invisible}https://e.org/a${invisible}`, "https://e.org/a"] as const
  ),
  // Brackets, quotes and lists.
  ["(https://e.org/a_(b)),", "https://e.org/a_(b)"],
  ["[a](https://e.org/a!) b", "https://e.org/a!"],
  ['<https://e.org/a>, "https://e.org/b",', "https://e.org/a", "https://e.org/b"],
  ["1.https://e.org/a", "https://e.org/a"],
  ["HTTP://e.org/a... https:// nothing", "HTTP://e.org/a"]
]

describe("addressesInText", () => {
  for (const [text, ...addresses] of texts)
    test(`finds ${addresses.join(" and ")} in ${JSON.stringify(text)}`, () =>
      expect(inText(text)).toEqual([...addresses]))

  test("takes time in proportion to the text", () => {
    const begun = cpuTime()
    for (const part of [")", "(", "https://", "，", "中", "a中", "\u200b", "[a](https://b ", "😆"])
      inText(`https://e.org/a${part.repeat(100_000)}`)
    expect(cpuTime() - begun).toBeLessThan(10_000)
  })
})

describe("addressesInMarked", () => {
  for (const [text, ...addresses] of [
    ["xhslink.example/jZ66hv，复制本条信息", "xhslink.example/jZ66hv"],
    ["http://e.org/RZwjG7U（分享自", "http://e.org/RZwjG7U"],
    ["https://e.org/A/,https://e.org/B/", "https://e.org/A/", "https://e.org/B/"],
    ["e.org/A/,https://e.org/B/，见", "e.org/A/", "https://e.org/B/"],
    ["\u200be.org/a\u200d", "e.org/a"],
    ["看看example.com", "看看example.com"],
    ["https://e.org/wiki/Why!", "https://e.org/wiki/Why!"]
  ] as const)
    test(`finds ${addresses.join(" and ")} in ${JSON.stringify(text)}`, () =>
      expect(inMarked(text)).toEqual([...addresses]))
})

describe("withoutTrailingPunctuation", () => {
  for (const [address, own] of [
    ["https://e.org/a", "https://e.org/a"],
    ["https://e.org/a.", "https://e.org/a"],
    ["https://e.org/a_(b)", "https://e.org/a_(b)"],
    ["https://e.org/a_(b)),", "https://e.org/a_(b)"],
    ["https://e.org/a)!?", "https://e.org/a"],
    ["https://e.org/a\"'", "https://e.org/a"],
    ["https://e.org/a]}", "https://e.org/a"],
    ["https://e.org/a-", "https://e.org/a-"],
    ["...", ""],
    ["", ""]
  ] as const)
    test(`returns ${JSON.stringify(own)} for ${JSON.stringify(address)}`, () =>
      expect(withoutTrailingPunctuation(address)).toBe(own))

  test("takes bounded time", () => {
    const begun = cpuTime()
    expect(withoutTrailingPunctuation(`https://e.org/a${")".repeat(1_000_000)}`)).toBe("https://e.org/a")
    expect(cpuTime() - begun).toBeLessThan(3_000)
  })
})
