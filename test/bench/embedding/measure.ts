/**
 * Measures how well the built-in embedder groups, files and finds links of public lists outside its training data.
 * `bun test/bench/embedding/measure.ts [folder of links-validation.jsonl and links.jsonl] [word table]`
 */
import { existsSync, statSync } from "node:fs"
import { type Contestant, contestantsOf } from "./Contestants.ts"
import { type ListedLink, readLinks, textOf, withoutBadges } from "./Links.ts"
import { measured, measureLine, shown, thresholdLine } from "./Report.ts"
import { foundGain, questionsOf } from "./Retrieval.ts"
import { lowestThreshold } from "./Threshold.ts"

const [
  folder = `${import.meta.dir}/../../../../shared/data`,
  tablePath = `${import.meta.dir}/../../../src/enrich/embedding/words.bin`
] = process.argv.slice(2)

const SETS = ["links-validation.jsonl", "links.jsonl"]
const PRECISION = 0.75
const SPEED_UNITS = 300
const SPEED_TEXTS = 3_000

const perSecond = ({ embed }: Contestant, links: ReadonlyArray<ListedLink>): number => {
  const all = links.map(textOf).join(" ")
  const texts = Array.from({ length: SPEED_TEXTS }, (_, at) => {
    const start = (at * SPEED_UNITS) % (all.length - SPEED_UNITS)
    return all.slice(start, start + SPEED_UNITS)
  })
  for (const text of texts) embed(text)
  const start = performance.now()
  for (const text of texts) embed(text)
  return (texts.length / (performance.now() - start)) * 1000
}

const measureAll = async () => {
  const sets = await Promise.all(SETS.map((name) => readLinks(`${folder}/${name}`)))
  const links = sets.flatMap(withoutBadges)
  const questions = questionsOf(links)
  console.log(
    `Table: ${(statSync(tablePath).size / 1e6).toFixed(2)} MB. Retrieval asks ${questions.length} questions.`
  )
  for (const contestant of contestantsOf(tablePath)) {
    const vectors = links.map((link) => contestant.embed(textOf(link)))
    const asked = questions.map(({ text }) => contestant.embed(text))
    console.log(`\n${contestant.name}`)
    console.log(`  retrieval nDCG@10 ${shown(foundGain(questions, asked, vectors))}`)
    console.log(`  ${Math.round(perSecond(contestant, links))} texts of ${SPEED_UNITS} letters a second`)
    const figures = sets.map((set) => measured(contestant, set))
    figures.forEach((own, at) => {
      const threshold = lowestThreshold(own.libraries.flat(), PRECISION)
      console.log(`  ${SETS[at]}: ${measureLine(own)}`)
      console.log(`    chosen here: ${thresholdLine(own, threshold)}`)
      figures.forEach((other, there) => {
        if (there !== at) console.log(`    carried to ${SETS[there]}: ${thresholdLine(other, threshold)}`)
      })
    })
  }
}

if (SETS.every((name) => existsSync(`${folder}/${name}`))) await measureAll()
else console.log(`Nothing was measured: ${SETS.join(" and ")} are not both in ${folder}.`)
