import { describe, expect, test } from "bun:test"
import { languageOfText, openingOf } from "../../../../src/enrich/page/article/Derived.ts"
import { cpuTime } from "../../../support/cpuTime.ts"

const english =
  "The kestrel hovers above the fields and looks for mice in the grass below. It can see the tracks that they leave behind, and it strikes within a second of finding one."
const texts = {
  en: english,
  de: "Der Turmfalke rüttelt über den Feldern und sucht im Gras nach Mäusen. Er kann die Spuren sehen, die sie hinterlassen, und er schlägt innerhalb einer Sekunde zu, wenn er eine gefunden hat.",
  fr: "Le faucon crécerelle plane au-dessus des champs et cherche des souris dans l'herbe. Il peut voir les traces qu'elles laissent derrière elles et il frappe en moins d'une seconde quand il en trouve une.",
  es: "El cernícalo se cierne sobre los campos y busca ratones en la hierba. Puede ver los rastros que dejan y ataca en menos de un segundo cuando encuentra uno de ellos.",
  ru: "Сегодня утром жители города увидели на крыше старого здания небольшую птицу. Оказалось, что это пустельга, которая вернулась сюда после зимы. Учёные считают, что такие птицы всё чаще живут рядом с людьми, потому что здесь им легче найти пищу и место для гнезда. Мы попросили специалиста рассказать, как помочь этим птицам.",
  zh: "红隼在田野上空盘旋，寻找草丛中的老鼠。它能看到老鼠留下的痕迹，一旦发现猎物，就会在一秒钟之内发起攻击。",
  ja: "チョウゲンボウは野原の上で停空飛翔し、草むらのネズミを探します。ネズミが残した跡を見ることができ、見つけると一秒以内に襲いかかります。",
  ko: "황조롱이는 들판 위에서 정지 비행을 하며 풀밭에 있는 쥐를 찾는다. 쥐가 남긴 흔적을 볼 수 있으며 발견하면 일 초 안에 덮친다.",
  ar: "يحوم العوسق فوق الحقول ويبحث عن الفئران في العشب. يستطيع أن يرى الآثار التي تتركها خلفها، ويهاجم خلال ثانية واحدة عندما يجد واحدا منها."
}

describe("languageOfText", () => {
  for (const [language, text] of Object.entries(texts))
    test(`recognizes ${language}`, () => expect(languageOfText(text)).toBe(language))

  for (const [what, text] of [
    ["no text", ""],
    ["a short text", "The kestrel hovers."],
    ["a menu", "Home\nProducts\nAbout us\nContact\n".repeat(40)],
    ["numbers", "12 345 678. ".repeat(100)]
  ] as const)
    test(`recognizes no language in ${what}`, () => expect(languageOfText(text)).toBe(null))
})

describe("openingOf", () => {
  for (const [what, text, opening] of [
    [
      "the first sentence",
      english,
      "The kestrel hovers above the fields and looks for mice in the grass below. It can see the tracks that they leave behind, and it strikes within a second of finding one."
    ],
    ["no more sentences than are enough", `${english} ${english}`, english],
    ["the first paragraph that is running text", `Menu\nBy Ann Lee\n${english}`, english],
    [
      "no line that begins within a sentence",
      `and this line began on the line before it, which was broken by hand.\n${english}`,
      english
    ],
    [
      "a text without spaces",
      texts.zh,
      "红隼在田野上空盘旋，寻找草丛中的老鼠。它能看到老鼠留下的痕迹，一旦发现猎物，就会在一秒钟之内发起攻击。"
    ],
    ["nothing without running text", "Home\nProducts\nAbout us", ""],
    ["nothing of an empty text", "", ""]
  ] as const)
    test(`has ${what}`, () => expect(openingOf(text)).toBe(opening))

  test("is bounded", () => {
    const begun = cpuTime()
    for (const piece of ["a", "A. ", "a ", "!", "。", "\n", "A".repeat(70), `${english}\n`]) {
      const text = piece.repeat(131_072 / piece.length)
      expect(openingOf(text).length).toBeLessThanOrEqual(300)
      languageOfText(text)
    }
    expect(cpuTime() - begun).toBeLessThan(6_000)
  })
})
