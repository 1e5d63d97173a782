import { Data, type Effect, type Option } from "effect"

/** The embedder returned no vectors; `reason` is safe to log. */
export class EmbedderUnavailable extends Data.TaggedError("EmbedderUnavailable")<{
  readonly reason: string
  /** Whether the embedder refused these texts, so that other or fewer texts may succeed. */
  readonly refused: boolean
}> {}

/** Turns texts into vectors whose angles measure how similar the texts are in meaning. */
export interface TextEmbedder {
  /** Identifies the embedder of stored vectors. */
  readonly name: string
  /** Whether it answers at once, without another thread or the network. */
  readonly inProcess: boolean
  /** Whether texts stay on this machine. */
  readonly isLocal: boolean
  /** Whether the vector of a search says all that it can, rather than what can be had at once; it does by default. */
  readonly isWhole?: Effect.Effect<boolean>
  readonly dimensions: Option.Option<number>
  /** The minimum similarity of related links, if measured. */
  readonly threshold: Option.Option<number>
  /** What takes the threshold's place between a search and a link, if that is another measure. */
  readonly searchThreshold?: number
  /** The least similarity of a link that a search finds by meaning; a share of the threshold by default. */
  readonly searchFloor?: number
  /** The weight of a rank by only some of a search's words beside one by meaning; 1 by default. */
  readonly someWordsWeight?: number
  /** One unit vector per text, zero without content. Searches are compared with links only. */
  readonly embed: (
    texts: ReadonlyArray<string>,
    of?: "links" | "searches"
  ) => Effect.Effect<ReadonlyArray<Float32Array>, EmbedderUnavailable>
}
