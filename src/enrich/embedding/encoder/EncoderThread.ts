import { readFileSync } from "node:fs"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { awaitQuietTurn } from "../../../runtime/Scheduling.ts"
import { makeThread } from "../../../runtime/Thread.ts"
import { serveThread } from "../../../runtime/ThreadWork.ts"
import { builtIn } from "../BuiltIn.ts"
import { EmbedderUnavailable, type TextEmbedder } from "../TextEmbedder.ts"
import { makeEncoder } from "./Encoder.ts"
import { parseModel, WIDTH } from "./ModelFile.ts"
import { isReleased } from "./ModelRelease.ts"

export class Encoding extends Context.Tag("Encoding")<
  Encoding,
  { readonly embed: (text: string, of: "links" | "searches") => Effect.Effect<Float32Array> }
>() {}

export const inThread = { tag: Encoding, failure: Schema.Never }

export const serveEncoder = (file: string) =>
  serveThread(
    inThread,
    Layer.effect(
      Encoding,
      Effect.try(() => {
        const bytes = readFileSync(file)
        if (!isReleased(bytes)) throw new Error("The file is damaged or of another version.")
        const encoder = makeEncoder(parseModel(bytes))
        return { embed: (text, of) => Effect.sync(() => encoder.embed(text, of)) }
      })
    )
  )

/** The encoder's share of the similarity of two links, and the squared length of its part in the vector of a search. */
const LINK_SHARE = 0.5
const QUERY_SHARE = 0.8
const DIMENSIONS = WIDTH + 512
/** Three of four filed links are right from here on, and .66 of those that belong somewhere are filed. */
const THRESHOLD = 0.345
/** At the chat's share of it, 2 % of small talk finds a link among 300 by meaning (`test/bench/training/RESULTS.md`). */
const SEARCH_THRESHOLD = 0.31
/** With more, libraries of some 250 links lose right ones among the first ten; larger ones have 30 nearer links. */
const SEARCH_FLOOR = 0.1
/** A link that has only some of the words is seldom meant; chosen on the half to tune with of `bun run bench finding`. */
const SOME_WORDS_WEIGHT = 0.2

/** The thread, and the 60 MB that it takes, are kept for this long after the last text. */
const IDLE = "2 minutes"
const PATIENCE = "30 seconds"

/** Both parts in one unit vector, with this squared length of the encoder's; zeros stand for a part that is missing. */
const joined = (encoded: Float32Array | undefined, table: Float32Array, share: number) => {
  const vector = new Float32Array(DIMENSIONS)
  const [first, second] = encoded === undefined ? [0, 1] : [Math.sqrt(share), Math.sqrt(1 - share)]
  if (encoded !== undefined) vector.set(encoded.map((value) => value * first))
  vector.set(
    table.map((value) => value * second),
    WIDTH
  )
  return vector
}

/** Beside the built-in table; the thread ends when idle, and until it starts a search gets the table's part. */
export const makeEncoderEmbedder = Effect.fnUntraced(function* (spawn: () => Worker) {
  const scope = yield* Effect.scope
  let isReady = false
  const thread = yield* makeThread(inThread, {
    name: "encoder",
    spawn,
    most: 1_000,
    patience: PATIENCE,
    idle: IDLE,
    onChange: (isAnswering) =>
      Effect.sync(() => {
        isReady = isAnswering
      })
  })
  const isAwake = Effect.map(thread.isRunning, (isRunning) => {
    isReady &&= isRunning
    return isReady
  })
  const encode = (text: string, of: "links" | "searches") =>
    Effect.mapError(
      thread.ask("embed", text, of),
      ({ detail, reason }) =>
        new EmbedderUnavailable({ reason: `the encoder: ${detail ?? reason}`, refused: false })
    )

  const embedLink = Effect.fnUntraced(function* (text: string) {
    yield* awaitQuietTurn
    return joined(yield* encode(text, "links"), builtIn.embed(text), LINK_SHARE)
  })
  const embedSearch = Effect.fnUntraced(function* (text: string) {
    const table = builtIn.embedQuery(text)
    if (yield* isAwake) return joined(yield* encode(text, "searches"), table, QUERY_SHARE)
    yield* Effect.forkIn(Effect.ignore(thread.start), scope)
    return joined(undefined, table, 0)
  })

  const embedder: TextEmbedder = {
    name: "linkbower-3",
    inProcess: false,
    isLocal: true,
    isWhole: isAwake,
    dimensions: Option.some(DIMENSIONS),
    threshold: Option.some(THRESHOLD),
    searchThreshold: SEARCH_THRESHOLD,
    searchFloor: SEARCH_FLOOR,
    someWordsWeight: SOME_WORDS_WEIGHT,
    embed: (texts, of) => Effect.forEach(texts, of === "searches" ? embedSearch : embedLink)
  }
  return embedder
})
