import { Effect, ManagedRuntime, Option } from "effect"
import { Embedder } from "../../../src/enrich/embedding/Embedder.ts"
import { embedderOf } from "../realLinks.ts"

/** The embedder that a bench measures: the table, beside the encoder if `ENCODER` names its file. Embeds a text once. */
export const measuredEmbedder = async () => {
  const { current } = await ManagedRuntime.make(embedderOf(Bun.env["ENCODER"])).runPromise(Embedder)
  const known = new Map<string, Float32Array>()
  const vectorsOf = async (texts: ReadonlyArray<string>, of: "links" | "searches" = "links") => {
    const missing = [...new Set(texts)].filter((text) => !known.has(`${of} ${text}`))
    const vectors = await Effect.runPromise(current.embed(missing, of))
    for (const [at, text] of missing.entries()) known.set(`${of} ${text}`, vectors[at] ?? new Float32Array(0))
    return texts.map((text) => known.get(`${of} ${text}`) ?? new Float32Array(0))
  }
  const threshold = Option.getOrThrow(current.threshold)
  return {
    vectorsOf,
    dimensions: Option.getOrThrow(current.dimensions),
    threshold,
    searchThreshold: current.searchThreshold ?? threshold
  }
}
