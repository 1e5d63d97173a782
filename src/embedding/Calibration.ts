/** Short texts on as many matters: how alike an embedder finds what has nothing to do with each other. */
export const unrelatedTexts: ReadonlyArray<string> = [
  "Baking sourdough bread: how to keep a starter alive and shape a loaf",
  "PostgreSQL indexes explained, with query plans and benchmarks",
  "A beginner's guide to growing tomatoes on a balcony",
  "The history of the Ottoman navy in the sixteenth century",
  "Learning to play fingerstyle guitar in thirty days",
  "Type inference in functional programming languages",
  "How vaccines are tested before they are approved",
  "Restoring a vintage steel bicycle frame",
  "An atlas of bird songs recorded in European forests",
  "Index funds, pensions and saving for retirement",
  "Designing accessible colour palettes for user interfaces",
  "A short introduction to quantum entanglement",
  "Camping routes and mountain huts in the Alps",
  "Setting up a home server with containers and backups",
  "Grammar exercises for learners of Japanese",
  "The rules of contract bridge and common bidding systems",
  "Photographing the night sky: lenses, tripods and exposure",
  "Labour law for freelancers: contracts and invoices",
  "Neural networks for recognising handwritten digits",
  "A map of medieval trade routes across the Sahara",
  "Knitting patterns for warm winter socks",
  "Monitoring web services: logs, metrics and alerts",
  "Short stories by writers of the Harlem Renaissance",
  "Caring for an ageing dog: food, walks and medicine"
]

/**
 * How many standard deviations above what unrelated texts have in common two links must lie to belong together: as many
 * as the built-in embedder's threshold, which was measured on real links, lies above its own.
 */
export const DEVIATIONS = 4.86
const HIGHEST = 0.95

/**
 * The similarity threshold for an embedder, from its vectors of `unrelatedTexts`: their mean cosine plus three standard
 * deviations, a rule that carried over between all embedders it was tried on.
 */
export const thresholdFrom = (vectors: ReadonlyArray<Float32Array>): number => {
  const cosines = vectors.flatMap((a, i) =>
    vectors.slice(i + 1).map((b) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0))
  )
  const count = Math.max(cosines.length, 1)
  const mean = cosines.reduce((sum, value) => sum + value, 0) / count
  const variance = cosines.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count
  return Math.min(HIGHEST, mean + DEVIATIONS * Math.sqrt(variance))
}
