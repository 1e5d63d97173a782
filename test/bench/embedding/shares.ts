/**
 * Measures how the share of the trained half in a search's vector matters (`QUERY_TABLE_SHARE`): prints MRR@10 by meaning
 * alone over the labelled set of `test/bench/finding`, by kind.
 * `bun test/bench/embedding/shares.ts [tune | held]`
 */
import { readFileSync } from "node:fs"
import { embeddingText } from "../../../src/domain/Enrichment.ts"
import { embed, embedQuery } from "../../../src/enrich/embedding/BuiltIn.ts"
import { parseWordTable } from "../../../src/enrich/embedding/WordTable.ts"
import { knownLinks } from "../finding/links.ts"
import { halfOf, type Labelled, linkQueries, PARAPHRASED } from "../finding/queries.ts"
import { cosine } from "./Cosine.ts"
import { shown } from "./Report.ts"

const SHARES = [0.65, 0.45, 0.35, 0.25, 0.15]
const DEEPEST = 10
const COLUMN = 13
const [half = "tune"] = process.argv.slice(2)

const table = parseWordTable(readFileSync(`${import.meta.dir}/../../../src/enrich/embedding/words.bin`))
const links = knownLinks().map((link) => {
  const text = embeddingText({ ...link, summary: "", note: "" })
  return { url: link.url, vector: embed(table, text) }
})

const reciprocalRank = ({ expected }: Labelled, query: Float32Array): number => {
  const right = new Set(expected)
  const scored = links.map(({ url, vector }) => ({ isRight: right.has(url), score: cosine(query, vector) }))
  const best = Math.max(...scored.filter(({ isRight }) => isRight).map(({ score }) => score))
  const above = scored.filter(({ isRight, score }) => !isRight && score > best).length
  return above < DEEPEST ? 1 / (above + 1) : 0
}

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

const kinds = [...Map.groupBy(linkQueries(), ({ kind }) => kind)]
  .filter(([kind]) => kind !== "operators" && kind !== PARAPHRASED)
  .map(([kind, of]) => ({ kind, of: of.filter(({ query }) => halfOf(query) === half) }))

const line = (name: string, cells: ReadonlyArray<string>) =>
  console.log(name.padEnd(16) + cells.map((cell) => cell.padStart(COLUMN)).join(""))

console.log(`${links.length} links, half: ${half}`)
line("", [...kinds.map(({ kind }) => kind), "macro"])
for (const share of SHARES) {
  const scores = kinds.map(({ of }) =>
    mean(of.map((one) => reciprocalRank(one, embedQuery(table, one.query, share))))
  )
  line(String(share), [...scores, mean(scores)].map(shown))
}
