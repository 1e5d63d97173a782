import { Data, type Effect, type Option } from "effect"

/** The embedder gave no vectors; `reason` is safe to log. */
export class EmbedderUnavailable extends Data.TaggedError("EmbedderUnavailable")<{
  readonly reason: string
  /** Whether it is the texts that are refused, so that others, or fewer, may do. */
  readonly refused: boolean
}> {}

/** Turns texts into vectors whose angles say how near the texts are in meaning. */
export interface TextEmbedder {
  /** What tells its vectors apart from another embedder's. */
  readonly name: string
  /** Whether it answers at once, with no network between. */
  readonly inProcess: boolean
  /** The similarity from which on two links belong together, where it has been measured for this embedder. */
  readonly threshold: Option.Option<number>
  /** A unit vector a text, all of one length; the zero vector for a text that says nothing. */
  readonly embed: (
    texts: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Float32Array>, EmbedderUnavailable>
}
