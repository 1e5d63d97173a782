import { test } from "bun:test"
import { FastCheck as fc } from "effect"
import { byTier } from "./tier.ts"

/** Seed of the random inputs: the same inputs in every run, unless `FUZZ_SEED` is set. */
export const SEED = Number(process.env["FUZZ_SEED"] ?? 20_260_714)

/** Multiplies the number of inputs. */
export const MORE = Number(process.env["FUZZ_MORE"] ?? 1)

/** How many of `runs` inputs a test tries: a fifth in everyday runs. */
const inputsOf = (runs: number) => Math.ceil(byTier(runs / 5, runs) * MORE)

/** A property test over `runs` inputs in the long tier; its name contains the seed. */
export const always = <A>(name: string, inputs: fc.Arbitrary<A>, holds: (input: A) => void, runs = 300) =>
  test(
    `${name}, of seed ${SEED}`,
    () => fc.assert(fc.property(inputs, holds), { seed: SEED, numRuns: inputsOf(runs) }),
    180_000 * MORE
  )

/** An asynchronous property test. */
export const alwaysAsync = <A>(
  name: string,
  inputs: fc.Arbitrary<A>,
  holds: (input: A) => Promise<void>,
  runs = 100
) =>
  test(
    `${name}, of seed ${SEED}`,
    () => fc.assert(fc.asyncProperty(inputs, holds), { seed: SEED, numRuns: inputsOf(runs) }),
    180_000 * MORE
  )

/** Characters that break text handling: lone surrogates, controls, directions, joiners, irregular case folding. */
const troubles = [
  ..."\ud800 \udfff \0 \b \x1b \x7f \x85 \xad \xa0".split(" "),
  ..."\u061c \u200b \u200c \u200d \u200e \u200f \u2028 \u2029 \u202e \u2066 \u2069 \u3000 \ufeff \ufffd".split(
    " "
  ),
  ..."\ufdd0 \ufdd1 \uffff \u{10ffff} \u{e0041} \ufe0f \u20e3 \u0301 \u0345 \u0489".split(" "),
  ..."İ ı ß ẞ Σ ς ŉ ǰ ﬃ ﷺ Å Ａ １ ² ½ ª ǅ ℵ Ⅷ ㎏".split(" "),
  ..."ᄀ ᅡ ᆨ 가 각 ᆨᆨ שלום العربية हिन्दी ไทย 日本語 ｶﾞ 𠮷 𝒳 𐐨 🦜 👩‍🚀 🏳️‍🌈 🇬🇷 👨‍👩‍👧‍👦".split(" "),
  "e\u0301\u0301\u0301\u0301\u0301",
  "\u202egnp.exe\u202c",
  "\r\n",
  "\t"
]

/** Delimiters of the languages that the program parses. */
const signs = [
  ..."\" ' ` < > & ; : , . / \\ ? # % = + - _ * ( ) [ ] { } | ~ ^ ! @ $".split(" "),
  ..."// /* */ <!-- --> <![CDATA[ ]]> </script> &amp; &#0; &lt; %00 %zz %ff {{ #{x} ../".split(" "),
  ..."' OR 1=1 -- ; NEAR( NOT AND OR tag: -is: site: https:// javascript: data:,x <b> <svg/onload=x>".split(
    " "
  ),
  " ",
  "  ",
  "\n"
]

/** Any text that a person, a page or an attacker may send, with lone surrogates. */
export const strangeText = (maxLength = 40): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...troubles) },
        { weight: 4, arbitrary: fc.constantFrom(...signs) },
        { weight: 4, arbitrary: fc.string({ maxLength: 8 }) },
        { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
        {
          weight: 1,
          arbitrary: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit))
        },
        {
          weight: 1,
          arbitrary: fc
            .tuple(fc.constantFrom(...troubles, ...signs), fc.integer({ min: 2, max: 300 }))
            .map(([piece, times]) => piece.repeat(times))
        }
      ),
      { maxLength }
    )
    .map((pieces) => pieces.join(""))

/** Any JSON value, with strange texts and names such as `__proto__`. */
export const strangeJson = (names: ReadonlyArray<string> = []): fc.Arbitrary<unknown> =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e300, -0, Number.MAX_SAFE_INTEGER, "", [], {}),
      strangeText(6),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.array(tie("value"), { maxLength: 6 }),
      fc.dictionary(
        fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom("__proto__", "constructor", "length", "then", ...names) },
          { weight: 1, arbitrary: strangeText(2) }
        ),
        tie("value"),
        { maxKeys: 6 }
      )
    )
  })).value

/** Nested arrays as JSON, deeper than recursion can follow. */
export const deepJson = (depth: number, inner = "1"): string => "[".repeat(depth) + inner + "]".repeat(depth)

/** Whether text has no lone surrogates, control characters or invisible formatting. */
export const isClean = (text: string): boolean =>
  text.isWellFormed() && !/[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u.test(text)
