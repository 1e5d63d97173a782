import { Context, Effect, Layer, type Stream } from "effect"
import { SIMILARITY_THRESHOLD } from "../config/Configuration.ts"
import { type EmbedderInUse, embeddingText } from "../domain/Enrichment.ts"
import { builtIn, isOwnEmbedder } from "../enrich/embedding/BuiltIn.ts"
import {
  type DuplicateCandidate,
  type DuplicateGroup,
  duplicateGroups,
  markCopies,
  markProposed,
  type Pair
} from "../organize/Duplicates.ts"
import { pageKeys } from "../organize/PageKeys.ts"
import { yieldToEventLoop } from "../runtime/Scheduling.ts"
import { isTitleFromAddress } from "../shared/AddressTitle.ts"
import { FilingStore } from "../store/links/CollectionStore.ts"
import { VectorStore } from "../store/vectors/VectorStore.ts"
import { dot } from "./Quantize.ts"
import { eachRow, makeProgress, type Progress, streamOfSteps } from "./Steps.ts"
import { VectorIndex } from "./VectorIndex.ts"

/** Progress of the search, or the groups found. */
export type DuplicateStep =
  | Progress
  | { readonly type: "groups"; readonly groups: ReadonlyArray<DuplicateGroup> }

/** A candidate, and whether the owner has written a note on it. */
interface Candidate extends DuplicateCandidate {
  readonly hasNote: boolean
}

const ALIKE = 0.855
/** Minimum similarity of nearly identical links: a share of the way from an embedder's threshold to 1. */
const leastAlike = (threshold: number) => threshold + (1 - threshold) * ALIKE
/** Allowance for the error of a similarity computed from int8 codes. */
const CODE_ERROR = 0.01
/** Rows compared with all others at once, so that they stay in the cache: less than 0.1 seconds at 100,000 links. */
const BLOCK = 256
const RESCORED = 500
/** Maximum number of pairs per link: a link with more is one of a site's pages made from one template. */
const MOST_PAIRS = 40

const pairKey = (a: number, b: number) => (a < b ? `${a} ${b}` : `${b} ${a}`)

/** Finds links to one page under several addresses, and links nearly alike in vector and title. Changes nothing. */
export class DuplicateSearch extends Context.Tag("DuplicateSearch")<
  DuplicateSearch,
  { readonly find: (embedder: EmbedderInUse | null) => Stream.Stream<DuplicateStep> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const index = yield* VectorIndex
      const store = yield* FilingStore
      const vectors = yield* VectorStore

      const identities = Effect.gen(function* () {
        const all: Array<Candidate> = []
        yield* eachRow(store.identities, ({ canonicalUrl, finalUrl, hasNote, host, id, title, url }) =>
          all.push({
            id,
            host,
            // A title that is only made from the address says nothing about the page.
            title: isTitleFromAddress({ host, title, url }) ? host : title,
            keys: pageKeys(url, canonicalUrl, finalUrl),
            hasNote
          })
        )
        return all
      })

      /** Returns the similar pairs of links with one title, one of them with a note, by the table and without notes. */
      const alikeWithoutNotes = Effect.fnUntraced(function* (links: ReadonlyArray<Candidate>, least: number) {
        const titled = links.filter(({ host, title }) => title !== host)
        const pairs: Array<Pair> = []
        for (const group of Map.groupBy(titled, ({ title }) => title.toLowerCase()).values()) {
          if (group.length < 2 || group.length > MOST_PAIRS || !group.some(({ hasNote }) => hasNote)) continue
          const profiles = yield* store.profilesOf(group.map(({ id }) => id))
          const floats = new Map(
            profiles.map((profile) => [
              Number(profile.id),
              builtIn.embed(embeddingText({ ...profile, note: "" }))
            ])
          )
          for (const [at, one] of group.entries())
            for (const other of group.slice(at + 1)) {
              const [a, b] = [floats.get(one.id), floats.get(other.id)]
              const isNoted = one.hasNote || other.hasNote
              const similarity = !isNoted || a === undefined || b === undefined ? 0 : dot(a, b)
              if (similarity >= least)
                pairs.push({ a: one.id, b: other.id, similarity: Math.min(similarity, 1) })
            }
          yield* yieldToEventLoop
        }
        return pairs
      })

      const withCopies = Effect.fnUntraced(function* (groups: ReadonlyArray<DuplicateGroup>) {
        const grouped = new Set(groups.flatMap(({ ids, reason }) => (reason === "same-page" ? ids : [])))
        if (grouped.size === 0) return groups
        const keys = new Map<number, ReadonlyArray<string>>()
        yield* eachRow(store.identities, ({ canonicalUrl, finalUrl, id, url }) => {
          if (grouped.has(id)) keys.set(id, pageKeys(url, canonicalUrl, finalUrl, true))
        })
        return markCopies(groups, keys)
      })

      const withProposed = Effect.fnUntraced(function* (
        groups: ReadonlyArray<DuplicateGroup>,
        links: ReadonlyArray<Candidate>
      ) {
        const hosts = new Map(links.map(({ host, id }) => [id, host]))
        return yield* Effect.forEach(groups, (group) =>
          group.reason === "same-page"
            ? Effect.succeed(group)
            : Effect.map(store.textsOf(group.ids), (texts) =>
                markProposed(
                  group,
                  group.ids.map((id) => hosts.get(id) ?? ""),
                  texts
                )
              )
        )
      })

      /** Returns the candidates whose float vectors have a similarity of at least `least`. */
      const verified = Effect.fnUntraced(function* (
        embedder: EmbedderInUse,
        candidates: ReadonlyArray<Pair>,
        least: number
      ) {
        const pairs: Array<Pair> = []
        for (let from = 0; from < candidates.length; from += RESCORED) {
          const some = candidates.slice(from, from + RESCORED)
          const floats = yield* vectors.floats(embedder.id, [...new Set(some.flatMap(({ a, b }) => [a, b]))])
          for (const { a, b } of some) {
            const [one, other] = [floats.get(a), floats.get(b)]
            const similarity = one === undefined || other === undefined ? 0 : dot(one, other)
            if (similarity >= least) pairs.push({ a, b, similarity: Math.min(similarity, 1) })
          }
          yield* yieldToEventLoop
        }
        return pairs
      })

      const alike = Effect.fnUntraced(function* (
        embedder: EmbedderInUse,
        links: ReadonlyArray<Candidate>,
        progress: (share: number) => Effect.Effect<void>
      ) {
        const least = leastAlike(embedder.threshold)
        const matrix = yield* index.matrix(embedder)
        const pairs: Array<Pair> = []
        for (let from = 0; from < matrix.slots; from += BLOCK) {
          const candidates = matrix.pairs(least - CODE_ERROR, from, from + BLOCK, MOST_PAIRS)
          for (const pair of yield* verified(embedder, candidates, least)) pairs.push(pair)
          yield* progress(from / matrix.slots)
          yield* yieldToEventLoop
        }
        // The vectors of an endpoint leave notes out.
        if (!isOwnEmbedder(embedder.name)) return pairs
        const known = new Set(pairs.map(({ a, b }) => pairKey(a, b)))
        const more = yield* alikeWithoutNotes(links, leastAlike(SIMILARITY_THRESHOLD))
        return [...pairs, ...more.filter(({ a, b }) => !known.has(pairKey(a, b)))]
      })

      const work = Effect.fnUntraced(function* (
        embedder: EmbedderInUse | null,
        emit: (step: DuplicateStep) => Effect.Effect<void>
      ) {
        const links = yield* identities
        const progress = makeProgress(links.length, emit)
        const pairs = embedder === null ? [] : yield* alike(embedder, links, progress)
        const groups = yield* withProposed(duplicateGroups(links, pairs), links)
        yield* emit({ type: "groups", groups: yield* withCopies(groups) })
      })

      return {
        find: (embedder) => streamOfSteps((emit) => work(embedder, emit))
      }
    })
  )
}
