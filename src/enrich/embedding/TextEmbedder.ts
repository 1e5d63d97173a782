import { Data, type Effect, type Option } from "effect"

/** The embedder returned no vectors; `reason` is safe to log. */
export class EmbedderUnavailable extends Data.TaggedError("EmbedderUnavailable")<{
  readonly reason: string
  /** Whether the embedder refused these texts, so that other or fewer texts may succeed. */
  readonly refused: boolean
}> {}

/** Turns texts into vectors whose angles measure how similar the texts are in meaning. */
export interface TextEmbedder {
  /** Identifies the embedder that made a vector. */
  readonly name: string
  /** Whether it answers at once, without the network. */
  readonly inProcess: boolean
  /** The minimum similarity of related links, if measured for this embedder. */
  readonly threshold: Option.Option<number>
  /** One unit vector per text, all with the same dimensions; the zero vector for a text without content. */
  readonly embed: (
    texts: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Float32Array>, EmbedderUnavailable>
}
