import { describe, expect, it } from "bun:test"
import { describePassage } from "../../../src/shared/anchor/Describe.ts"
import { findPassage, searchable } from "../../../src/shared/anchor/Find.ts"

const opening = "Harbours were built where rivers met the sea, and towns grew around their markets."
const second = "The schooner left before dawn with a cargo of salt. Nobody on the quay saw her go."
const third =
  "By the time the storm broke she was forty miles out, and her lamps could not be seen from land."
const fourth = "Her log was found in spring, wrapped in oilcloth, and is kept in the museum to this day."
const page = [opening, second, third, fourth].join("\n\n")

const quoteOf = (text: string, quote: string, occurrence = 0) => {
  let at = text.indexOf(quote)
  for (let i = 0; i < occurrence; i++) at = text.indexOf(quote, at + 1)
  const found = describePassage(text, at, at + quote.length)
  if (at === -1 || found === undefined) throw new Error(`the text does not have “${quote}”`)
  return found
}

/** What is highlighted of `after`, if `quote` was highlighted in `before`; undefined if it is lost. */
const afterwards = (before: string, quote: string, after: string, occurrence = 0) => {
  const found = findPassage(searchable(after), quoteOf(before, quote, occurrence))
  return found === undefined ? undefined : after.slice(found.start, found.end)
}

const cargo = "with a cargo of salt"
const storm = "By the time the storm broke she was forty miles out"
const twice = "See the notes below. First, read the notes. Later, read the notes again, and burn them."

describe("a highlight after a refresh", () => {
  const cases: ReadonlyArray<
    readonly [name: string, before: string, quote: string, after: string, expected: string | undefined]
  > = [
    ["stays in the same text", page, cargo, page, cargo],
    ["follows text that is put before it", page, cargo, `A new introduction.\n\n${page}`, cargo],
    ["follows text that is removed before it", page, storm, page.slice(opening.length), storm],
    ["stays when text is added after it", page, cargo, `${page}\n\nRelated articles`, cargo],
    ["stays when text is removed after it", page, cargo, `${opening}\n\n${second}`, cargo],
    [
      "stays when the paragraph before it is replaced",
      page,
      cargo,
      page.replace(opening, "Nothing remains."),
      cargo
    ],
    [
      "follows a paragraph that moved to the end",
      page,
      cargo,
      [opening, third, fourth, second].join("\n\n"),
      cargo
    ],
    [
      "follows a paragraph that moved to the start",
      page,
      storm,
      [third, opening, second, fourth].join("\n\n"),
      storm
    ],
    [
      "is found in a page that is all new around it",
      page,
      storm,
      `Quoted elsewhere: “${storm}”, they say.`,
      storm
    ],
    [
      "keeps to its words when the rest of the sentence is edited",
      page,
      cargo,
      page.replace("left before dawn", "sailed at night"),
      cargo
    ],
    [
      "follows a changed word inside it",
      page,
      storm,
      page.replace("forty miles", "thirty miles"),
      storm.replace("forty", "thirty")
    ],
    [
      "follows a word that was inserted",
      page,
      cargo,
      page.replace("a cargo of", "a large cargo of"),
      "with a large cargo of salt"
    ],
    [
      "follows a word that was removed",
      page,
      storm,
      page.replace("the storm broke", "storm broke"),
      storm.replace("the storm", "storm")
    ],
    [
      "follows a corrected typo",
      page.replace("oilcloth", "oilcloht"),
      "wrapped in oilcloht, and is kept",
      page,
      "wrapped in oilcloth, and is kept"
    ],
    ["is lost when its sentence is deleted", page, storm, page.replace(third, ""), undefined],
    [
      "is lost when the paragraph is rewritten",
      page,
      storm,
      page.replace(third, "Later the weather turned, though no report of it survives in any of the papers."),
      undefined
    ],
    ["is lost in an empty page", page, storm, "", undefined],
    [
      "is lost in another page",
      page,
      storm,
      "The page you are looking for could not be found. Return to the front page.",
      undefined
    ],
    [
      "is lost when a short word stays elsewhere only",
      page,
      "salt",
      "Add salt, then pepper, and stir until the onions are soft.",
      undefined
    ],
    ["finds a short word by what is around it", page, "salt", `Edited.\n\n${page}`, "salt"],
    [
      "crosses paragraphs whose break is gone",
      page,
      "saw her go.\n\nBy the time",
      page.replaceAll("\n\n", ""),
      "saw her go.By the time"
    ],
    [
      "crosses paragraphs that have a break now",
      page.replaceAll("\n\n", ""),
      "saw her go.By the time",
      page,
      "saw her go.\n\nBy the time"
    ],
    [
      "ignores white space that was wrapped anew",
      page,
      storm,
      page.replaceAll(" ", "\n   "),
      storm.replaceAll(" ", "\n   ")
    ],
    [
      "ignores no-break spaces",
      page,
      cargo,
      page.replaceAll(" of ", "\u00a0of\u00a0"),
      cargo.replace(" of ", "\u00a0of\u00a0")
    ],
    [
      "ignores soft hyphens",
      page,
      cargo,
      page.replace("cargo", "car\u00adgo"),
      cargo.replace("cargo", "car\u00adgo")
    ],
    [
      "ignores zero-width spaces",
      page,
      cargo,
      page.replace("cargo", "car\u200bgo"),
      cargo.replace("cargo", "car\u200bgo")
    ],
    [
      "ignores capitals of a style sheet",
      page,
      cargo,
      page.replace(cargo, cargo.toUpperCase()),
      cargo.toUpperCase()
    ],
    [
      "ignores curly quotation marks",
      `He said: "it's done", and left the house at once.`,
      `"it's done"`,
      "He said: “it’s done”, and left the house at once.",
      "“it’s done”"
    ],
    [
      "ignores dashes",
      "From 1900-1910 the works were closed to visitors.",
      "1900-1910 the works",
      "From 1900–1910 the works were closed to visitors.",
      "1900–1910 the works"
    ],
    [
      "ignores ligatures",
      "The office filed it as a difficult affair of state.",
      "filed it as a difficult affair",
      "The oﬃce ﬁled it as a diﬃcult aﬀair of state.",
      "ﬁled it as a diﬃcult aﬀair"
    ],
    [
      "ignores how accents are composed",
      "Le café était déjà fermé quand nous sommes arrivés.",
      "café était déjà",
      "Le café était déjà fermé quand nous sommes arrivés.".normalize("NFD"),
      "café était déjà".normalize("NFD")
    ],
    [
      "keeps emoji whole",
      "Ship it 🚢 today, says the captain 👩🏽‍✈️ of the fleet.",
      "🚢 today, says the captain 👩🏽‍✈️",
      "Breaking: Ship it 🚢 today, says the captain 👩🏽‍✈️ of the fleet.",
      "🚢 today, says the captain 👩🏽‍✈️"
    ],
    [
      "finds Chinese",
      "港口建在河流入海的地方。帆船黎明前载着盐离开了码头。没有人看见她离去。",
      "帆船黎明前载着盐",
      "更新：港口建在河流入海的地方。帆船黎明前载着盐离开了码头。没有人看见她离去。",
      "帆船黎明前载着盐"
    ],
    [
      "follows an edit in Japanese",
      "港は川が海に注ぐ場所に作られた。帆船は夜明け前に塩を積んで静かに出航した。誰も見ていなかった。",
      "帆船は夜明け前に塩を積んで静かに出航した",
      "港は川が海に注ぐ場所に作られた。帆船は夜明け前に塩を積んで出航した。誰も見ていなかった。",
      "帆船は夜明け前に塩を積んで出航した"
    ],
    [
      "finds Arabic",
      "بنيت الموانئ حيث تلتقي الأنهار بالبحر. غادرت السفينة قبل الفجر محملة بالملح.",
      "غادرت السفينة قبل الفجر",
      "تحديث. بنيت الموانئ حيث تلتقي الأنهار بالبحر. غادرت السفينة قبل الفجر محملة بالملح.",
      "غادرت السفينة قبل الفجر"
    ],
    [
      "finds Hebrew without its vowel signs changed",
      "הספינה הפליגה לפני עלות השחר עם מטען של מלח.",
      "לפני עלות השחר",
      "עדכון. הספינה הפליגה לפני עלות השחר עם מטען של מלח.",
      "לפני עלות השחר"
    ],
    [
      "reads entities as the characters that they stand for",
      "Fish & chips cost < 5 € at the quay.",
      "& chips cost < 5 €",
      "Today: Fish & chips cost < 5 € at the quay.",
      "& chips cost < 5 €"
    ]
  ]
  for (const [name, before, quote, after, expected] of cases)
    it(name, () => {
      const found = afterwards(before, quote, after)
      if (expected === undefined) expect(found).toBeUndefined()
      else expect(found).toBe(expected)
    })

  it("takes the right one of a repeated quote by its context", () => {
    for (const occurrence of [0, 1, 2]) {
      const passage = quoteOf(twice, "the notes", occurrence)
      const after = `An introduction. ${twice}`
      const found = findPassage(searchable(after), passage)
      expect(found?.start).toBe(passage.start + "An introduction. ".length)
    }
  })

  it("takes the nearest one of a repeated quote whose context is repeated too", () => {
    const line = "The same line stands here again and again, without any difference. "
    const before = line.repeat(9)
    const passage = quoteOf(before, "stands here again and again", 4)
    expect(findPassage(searchable(before), passage)?.start).toBe(passage.start)
    expect(findPassage(searchable(`${before}End.`), { ...passage, suffix: "x" })?.start).toBe(passage.start)
  })

  it("does not take a similar sentence for one that was deleted", () => {
    const row = (year: number, about: string) =>
      `${about} In ${year} the company sold ${year - 1500} ships and lost a few. ${about.toUpperCase()}\n`
    const before = row(2011, "Alarm in the north.") + row(2012, "Plenty of wind.")
    const after = row(2011, "Alarm in the north.") + row(2013, "Quiet markets again.")
    expect(afterwards(before, "In 2012 the company sold 512 ships and lost a few.", after)).toBeUndefined()
  })

  it("comes back with its text", () => {
    const passage = quoteOf(page, storm)
    const without = page.replace(third, "")
    expect(findPassage(searchable(without), passage)).toBeUndefined()
    expect(findPassage(searchable(page), { ...passage, start: null })).toEqual({
      start: passage.start,
      end: passage.end
    })
  })

  it("finds a quotation that has neither a position nor a context", () => {
    const wanted = { quote: "THE SCHOONER left\nbefore dawn", prefix: "", suffix: "" }
    const found = findPassage(searchable(page), wanted)
    expect(found && page.slice(found.start, found.end)).toBe("The schooner left before dawn")
    expect(findPassage(searchable("no, no, no"), { ...wanted, quote: "no" })).toBeUndefined()
    expect(findPassage(searchable(page), { ...wanted, quote: " " })).toBeUndefined()
  })

  it("keeps a long passage whose second half is rewritten a little", () => {
    const long = Array.from({ length: 400 }, (_, i) => `word${(i * 7919) % 401}`).join(" ")
    const after = long.slice(0, -300) + "z".repeat(300)
    expect(afterwards(`${page}\n\n${long}`, long, `${page}\n\n${after}`)?.length).toBeGreaterThan(2_500)
  })

  // A page chooses its text, and a page or a file a passage: these took half a minute of the service each.
  it.each([
    ["an edited passage of one letter", "a".repeat(500_000), `${"a".repeat(5_000)}q${"a".repeat(4_999)}`],
    ["an edited passage of two letters", "ab".repeat(250_000), `${"ab".repeat(4_999)}ba`],
    [
      "a passage whose end is rewritten",
      `${"word ".repeat(1_500)}${"z".repeat(490_000)}`,
      `${"word ".repeat(1_500)}${"yx".repeat(1_200)}`
    ]
  ])("takes a bounded number of steps for %s", (_, text, quote) => {
    const searched = searchable(text)
    const before = searched.budget
    const context = { prefix: "k".repeat(64), suffix: "m".repeat(64) }
    for (const given of [{ prefix: "", suffix: "" }, context]) findPassage(searched, { quote, ...given })
    expect(before - searched.budget).toBeLessThanOrEqual(40_000_000)
  })

  it("spends a bounded effort on a text, however many passages it lacks", () => {
    const words = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split(" ")
    const word = (i: number) => words[(i * 7919 + (i >> 3)) % words.length] ?? ""
    const text = Array.from({ length: 80_000 }, (_, i) => word(i)).join(" ")
    const searched = searchable(text)
    const before = searched.budget
    for (let i = 0; i < 100; i++) {
      const quote = `${Array.from({ length: 100 }, (_, at) => word(at * i)).join(" ")} lost ${i}`
      findPassage(searched, { quote, prefix: "", suffix: "", start: i })
    }
    expect(searched.budget).toBeGreaterThanOrEqual(0)
    expect(searched.budget).toBeLessThan(before)
  })
})
