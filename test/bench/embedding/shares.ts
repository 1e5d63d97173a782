/**
 * Measures how the share of the trained half in a search's vector matters (`QUERY_TABLE_SHARE`): prints MRR@10 by meaning
 * alone over the labelled set of `test/bench/finding`, by kind.
 * `bun test/bench/embedding/shares.ts [tune | held]`
 */
import { embeddingText } from "../../../src/domain/Enrichment.ts"
import { embed, embedQuery, loadTable } from "../../../src/enrich/embedding/BuiltIn.ts"
import { BEYOND_WORDS, halfOf, knownLinks, type Labelled, linkQueries } from "../finding/labelled.ts"
import { mean, shown, table } from "../harness.ts"
import { cosine } from "./Links.ts"

const SHARES = [0.65, 0.45, 0.35, 0.25, 0.15]
const DEEPEST = 10
const [half = "tune"] = process.argv.slice(2)

const wordTable = loadTable()
const links = knownLinks().map((link) => {
  const text = embeddingText({ ...link, summary: "", note: "" })
  return { url: link.url, vector: embed(wordTable, text) }
})

const reciprocalRank = ({ expected }: Labelled, query: Float32Array): number => {
  const right = new Set(expected)
  const scored = links.map(({ url, vector }) => ({ isRight: right.has(url), score: cosine(query, vector) }))
  const best = Math.max(...scored.filter(({ isRight }) => isRight).map(({ score }) => score))
  const above = scored.filter(({ isRight, score }) => !isRight && score > best).length
  return above < DEEPEST ? 1 / (above + 1) : 0
}

const kinds = [...Map.groupBy(linkQueries(), ({ kind }) => kind)]
  .filter(([kind]) => kind !== "operators" && !BEYOND_WORDS.has(kind))
  .map(([kind, of]) => ({ kind, of: of.filter(({ query }) => halfOf(query) === half) }))

console.log(`${links.length} links, half: ${half}`)
table(
  SHARES.map((share) => {
    const scores = kinds.map(({ of }) =>
      mean(of.map((one) => reciprocalRank(one, embedQuery(wordTable, one.query, share))))
    )
    const cells = kinds.map(({ kind }, at) => [kind, shown(scores[at] ?? 0)] as const)
    return { share: shown(share, 2), ...Object.fromEntries(cells), macro: shown(mean(scores)) }
  })
)
