import { median } from "../measure.ts"
import type { Answer } from "./Answer.ts"
import { type Field, hasSiteInTitle, isRight, type Right, scoreOf, titlesWithSite } from "./Fields.ts"
import { plainText } from "./PlainText.ts"
import { kept, parts, type Structure, structureOf } from "./Structure.ts"
import { boilerplateLines, type Overlap, overlap } from "./TextMeasures.ts"
import type { Reading } from "./Workers.ts"

const fields: ReadonlyArray<readonly [Field, string]> = [
  ["title", "title"],
  ["description", "description"],
  ["image", "image"],
  ["canonical", "canonical"],
  ["icon", "icon"],
  ["site", "site"],
  ["author", "author"],
  ["published", "date"],
  ["language", "language"]
]

/** The field that a heading of the table names. */
export const fieldNamed = (name: string): Field | undefined =>
  fields.find(([field, heading]) => name === field || name === heading)?.[0]

const percent = (part: number, whole: number) => (whole === 0 ? "–" : `${Math.round((part / whole) * 100)}`)
const mean = (values: ReadonlyArray<number>) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)
const share = (value: number) => value.toFixed(3).replace(/^0/, "")

/** A Markdown table. */
const table = (headings: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [headings, headings.map((_, at) => (at === 0 ? "---" : "---:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")

const costs = ["ms median", "ms mean", "peak MB", "failed"]
const costOf = ({ failures, memory, milliseconds }: Reading) => [
  median(milliseconds).toFixed(1),
  mean(milliseconds).toFixed(1),
  (memory / 1e6).toFixed(0),
  String(failures.size)
]

const asked = (rights: ReadonlyMap<string, Right>, field: Field) =>
  [...rights].filter(([, right]) => right.values[field].length > 0)

/** The share of pages for which each library is right, by field; a dash where a library has no such field. */
export const fieldsTable = (readings: ReadonlyArray<Reading>, rights: ReadonlyMap<string, Right>): string => {
  const rows = readings.map((reading) => {
    const { answers } = reading
    const cells = fields.map(([field]) => {
      if (answers.values().every((answer) => answer[field] === null)) return "–"
      const { asked, right } = scoreOf(answers, rights, field)
      return percent(right, asked)
    })
    const { held, titles } = titlesWithSite(answers, rights)
    return [reading.name, ...cells, percent(held, titles), ...costOf(reading)]
  })
  const headings = fields.map(([field, heading]) => `${heading} (${asked(rights, field).length})`)
  return table(["right, %", ...headings, "title holds site", ...costs], rows)
}

/** How each page's text compares with the expected one. */
const overlaps = (
  { answers }: Reading,
  expected: ReadonlyMap<string, string>
): ReadonlyMap<string, Overlap> =>
  new Map([...expected].map(([id, text]) => [id, overlap(answers.get(id)?.text ?? "", text)]))

/** The readings of libraries that extract text. */
export const withText = (readings: ReadonlyArray<Reading>): ReadonlyArray<Reading> =>
  readings.filter(({ answers }) => answers.values().some(({ text }) => text !== null))

/** Expected texts from the HTML of expected articles. */
export const expectedTexts = (html: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...html].map(([id, article]) => [id, plainText(article)]))

/** Precision, recall and F1 as means over pages, and the share of texts that hold lines of the page's frame. */
export const textTable = (
  readings: ReadonlyArray<Reading>,
  expected: ReadonlyMap<string, string>,
  source: string
): string => {
  const framed = (texts: ReadonlyArray<string>) => {
    const lines = texts.map((text) => boilerplateLines(text).length)
    return [percent(lines.filter((count) => count > 0).length, texts.length), mean(lines).toFixed(1)]
  }
  const size = (texts: ReadonlyArray<string>) => median(texts.map((text) => text.length)).toFixed(0)
  const setOf = (id: string) => id.slice(0, id.indexOf("/"))
  const sets = [...Map.groupBy(expected.keys(), setOf)].map(([set, ids]) => ({ set, size: ids.length }))
  const rows = withText(readings).map((reading) => {
    const scores = overlaps(reading, expected)
    const all = [...scores.values()]
    const bySet = sets.map(({ set }) =>
      share(mean([...scores].filter(([id]) => setOf(id) === set).map(([, { f1 }]) => f1)))
    )
    const texts = expected
      .keys()
      .map((id) => reading.answers.get(id)?.text ?? "")
      .toArray()
    return [
      reading.name,
      share(mean(all.map(({ precision }) => precision))),
      share(mean(all.map(({ recall }) => recall))),
      share(mean(all.map(({ f1 }) => f1))),
      ...bySet,
      String(all.filter(({ f1 }) => f1 < 0.5).length),
      ...framed(texts),
      size(texts),
      ...costOf(reading)
    ]
  })
  const texts = [...expected.values()]
  const itself = [
    source,
    "1",
    "1",
    "1",
    ...sets.map(() => "1"),
    "0",
    ...framed(texts),
    size(texts),
    ...costs.map(() => "–")
  ]
  return table(
    [
      `text of ${expected.size} pages`,
      "precision",
      "recall",
      "F1",
      ...sets.map(({ set, size }) => `F1 ${set} (${size})`),
      "pages under .5",
      "with frame lines, %",
      "frame lines a page",
      "characters, median",
      ...costs
    ],
    readings.some(({ name }) => name === source) ? rows : [...rows, itself]
  )
}

const noStructure = structureOf("")

/** The titles that each page states. */
type Titles = ReadonlyMap<string, ReadonlyArray<string>>

const expectedStructures = (
  html: ReadonlyMap<string, string>,
  titles: Titles
): ReadonlyMap<string, Structure> =>
  new Map([...html].map(([id, article]) => [id, structureOf(article, titles.get(id))]))

/** The structure of each library's articles, by page. */
const structures = ({ answers }: Reading, titles: Titles): ReadonlyMap<string, Structure> =>
  new Map([...answers].map(([id, { article }]) => [id, structureOf(article ?? "", titles.get(id))]))

/**
 * How much of the expected articles' structure each library keeps: F1 as means over the pages that have such parts, how
 * many code blocks state their language on all pages, and how long its articles are.
 */
export const structureTable = (
  readings: ReadonlyArray<Reading>,
  html: ReadonlyMap<string, string>,
  titles: Titles
): string => {
  const expected = expectedStructures(html, titles)
  const pagesWith = parts.map((part) =>
    [...expected].filter(([, { found }]) => found[part].length > 0).map(([id]) => id)
  )
  const rows = withText(readings).map((reading) => {
    const read = structures(reading, titles)
    const scores = parts.map((part, at) =>
      share(
        mean(
          (pagesWith[at] ?? []).map((id) =>
            kept((read.get(id) ?? noStructure).found[part], (expected.get(id) ?? noStructure).found[part])
          )
        )
      )
    )
    const languages = [...read.values()].reduce((sum, one) => sum + one.languages, 0)
    const lengths = [...reading.answers.values()].map(({ article }) => Buffer.byteLength(article ?? ""))
    return [reading.name, ...scores, String(languages), median(lengths).toFixed(0), mean(lengths).toFixed(0)]
  })
  const headings = parts.map((part, at) => `${part} (${pagesWith[at]?.length ?? 0})`)
  return table(
    [`structure of ${html.size} pages, F1`, ...headings, "code languages", "bytes median", "bytes mean"],
    rows
  )
}

/** A line for each page where a library keeps less of a part than another: how much each keeps. */
export const structureMisses = (
  readings: ReadonlyArray<Reading>,
  html: ReadonlyMap<string, string>,
  titles: Titles
): ReadonlyArray<string> => {
  const all = withText(readings).map((reading) => ({ name: reading.name, read: structures(reading, titles) }))
  return parts.flatMap((part) =>
    [...expectedStructures(html, titles)].flatMap(([id, { found }]) => {
      const wanted = found[part]
      const scores = all.map(({ name, read }) => {
        const own = (read.get(id) ?? noStructure).found[part]
        return { name, found: own.length, score: kept(own, wanted) }
      })
      const best = Math.max(...scores.map(({ score }) => score))
      if (wanted.length === 0 || (scores[0]?.score ?? 0) >= best - 0.02) return []
      const said = scores.map(({ found, name, score }) => `${name} ${share(score)} of ${found}`)
      return [[part, id, `expected ${wanted.length}`, ...said].join("\t")]
    })
  )
}

/** A line for each page where a library is wrong: what it says, what is right, and which others are right. */
export const misses = (
  readings: ReadonlyArray<Reading>,
  name: string,
  rights: ReadonlyMap<string, Right>,
  field: Field
): ReadonlyArray<string> => {
  const valueOf = (reading: Reading | undefined, id: string) => reading?.answers.get(id)?.[field] ?? null
  const subject = readings.find((reading) => reading.name === name)
  const others = readings.filter((reading) => reading !== subject)
  return asked(rights, field)
    .filter(([id, right]) => !isRight(field, valueOf(subject, id), right))
    .map(([id, right]) => {
      const better = others.filter((other) => isRight(field, valueOf(other, id), right))
      return [
        id,
        `said ${JSON.stringify(valueOf(subject, id))}`,
        `right ${JSON.stringify(right.values[field].map((one) => one.slice(0, 200)))}`,
        ...better.map((other) => `${other.name} ${JSON.stringify(valueOf(other, id))}`)
      ].join("\t")
    })
}

/** A line for each title that holds its site's name. */
export const suffixedTitles = (
  reading: Reading | undefined,
  rights: ReadonlyMap<string, Right>
): ReadonlyArray<string> =>
  [...(reading?.answers ?? new Map<string, Answer>())].flatMap(([id, answer]) => {
    const right = rights.get(id)
    return right !== undefined && hasSiteInTitle(answer, right)
      ? [`${id}\t${answer.title}\t${JSON.stringify(right.sites)}`]
      : []
  })

/** A line for each page's text, the worst first: how each library does, and the frame lines of the first. */
export const textMisses = (
  readings: ReadonlyArray<Reading>,
  expected: ReadonlyMap<string, string>
): ReadonlyArray<string> => {
  const all = withText(readings).map((reading) => ({ reading, scores: overlaps(reading, expected) }))
  const f1 = (id: string) => all[0]?.scores.get(id)?.f1 ?? 0
  return [...expected.keys()]
    .toSorted((one, other) => f1(one) - f1(other))
    .map((id) =>
      [
        id,
        ...all.map(({ reading, scores }) => {
          const { f1, precision, recall } = scores.get(id) ?? { f1: 0, precision: 0, recall: 0 }
          return `${reading.name} F1 ${share(f1)} (p ${share(precision)} r ${share(recall)})`
        }),
        ...boilerplateLines(all[0]?.reading.answers.get(id)?.text ?? "").map((line) => JSON.stringify(line))
      ].join("\t")
    )
}
