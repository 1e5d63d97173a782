import { Effect, Option } from "effect"
import { embeddingText } from "../domain/Enrichment.ts"
import type { Link } from "../domain/Link.ts"
import { builtIn } from "../enrich/embedding/BuiltIn.ts"
import { LruMap } from "../runtime/LruMap.ts"
import { Service } from "../runtime/Services.ts"
import { dot } from "../search/Quantize.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { VectorStore } from "../store/vectors/VectorStore.ts"
import { Embeddings } from "./Embeddings.ts"
import { Filing } from "./Filing.ts"

const MAX_LIKELY_TAGS = 8
/** Similar links whose tags are considered. */
const NEIGHBOURS = 16
/** Share of the threshold for related links. */
const NEARNESS = 0.7
/** The most used tags, compared with the link's text. */
const VOCABULARY = 500
/** Minimum similarity of a tag's name and the text, by the built-in embedder. */
const RELATED = 0.25

const make = Effect.gen(function* () {
  const embeddings = yield* Embeddings
  const filing = yield* Filing
  const links = yield* LinkStore
  const vectors = yield* VectorStore
  const meanings = new LruMap<string, Float32Array>(4 * VOCABULARY)

  const meaningOf = (tag: string) => {
    const known = meanings.get(tag)
    if (known !== undefined) return known
    const meaning = builtIn.embed(tag.replaceAll("-", " "))
    meanings.set(tag, meaning)
    return meaning
  }

  /** A link that waits for its vector gets one of its text. */
  const vectorOf = Effect.fnUntraced(function* (link: Link) {
    const embedder = Option.getOrUndefined(yield* embeddings.inUse)
    if (embedder === undefined) return undefined
    const vector = (yield* vectors.floats(embedder.id, [link.id])).get(link.id)
    return vector === undefined
      ? Option.getOrUndefined(yield* embeddings.embedLike(embeddings.textOf(link)))
      : { embedder, vector }
  })

  /** Shares weighted by similarity; empty while links cannot be searched. */
  const tagsAround = Effect.fnUntraced(function* (link: Link) {
    const shares = new Map<string, number>()
    const found = yield* vectorOf(link)
    if (found === undefined) return shares
    const { embedder, vector } = found
    const neighbours = yield* Effect.catchAll(
      filing.neighbours(embedder, vector, NEIGHBOURS + 1),
      ({ message }) =>
        Effect.as(Effect.logWarning("The neighbours of a link are unavailable", { reason: message }), [])
    )
    const near = neighbours.filter(
      ({ id, similarity }) => id !== link.id && similarity >= NEARNESS * embedder.threshold
    )
    const total = near.reduce((sum, { similarity }) => sum + similarity, 0)
    for (const { similarity, tags } of near)
      for (const tag of tags) shares.set(tag, (shares.get(tag) ?? 0) + similarity / total)
    return shares
  })

  return {
    /** Tags of similar links and tags near the text in meaning, the likeliest first. */
    of: Effect.fn("LikelyTags.of")(function* (link: Link) {
      const shares = yield* tagsAround(link)
      const vocabulary = (yield* links.busiestTags(VOCABULARY)).map(({ name }) => name)
      const text = builtIn.embed(embeddingText({ ...link, tags: [] }))
      const has = new Set(link.tags)
      return [...new Set([...shares.keys(), ...vocabulary])]
        .flatMap((tag) => {
          const share = shares.get(tag) ?? 0
          const likeness = dot(text, meaningOf(tag))
          const isLikely = !has.has(tag) && (share > 0 || likeness >= RELATED)
          return isLikely ? [{ tag, score: share + likeness }] : []
        })
        .sort((a, b) => b.score - a.score)
        .slice(0, MAX_LIKELY_TAGS)
        .map(({ tag }) => tag)
    })
  }
})

export class LikelyTags extends Service<LikelyTags>()("LikelyTags", make) {}
