import { Context, Effect, Layer, Option } from "effect"
import { Setting, SIMILARITY_THRESHOLD } from "../../config/Configuration.ts"
import { builtIn } from "./BuiltIn.ts"
import { type Endpoint, endpointEmbedder } from "./EmbeddingsEndpoint.ts"
import type { TextEmbedder } from "./TextEmbedder.ts"

const builtInEmbedder: TextEmbedder = {
  name: builtIn.name,
  inProcess: true,
  threshold: Option.some(SIMILARITY_THRESHOLD),
  embed: (texts) => Effect.sync(() => texts.map((text) => builtIn.embed(text)))
}

/** The embedder that the settings select, and the embedders behind stored vectors. */
export class Embedder extends Context.Tag("Embedder")<
  Embedder,
  {
    /** The embedder for new vectors. */
    readonly current: TextEmbedder
    /** The embedder with this name, if it is still available. */
    readonly named: (name: string) => Option.Option<TextEmbedder>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const url = yield* Setting.embeddingsUrl.config
      const model = yield* Setting.embeddingsModel.config
      const key = yield* Setting.embeddingsApiKey.config
      const endpoint = Option.map(url, (address): Endpoint => ({ url: address, key }))
      const current = Option.match(endpoint, {
        onNone: () => builtInEmbedder,
        onSome: (found) =>
          endpointEmbedder(
            found,
            Option.getOrElse(model, () => "")
          )
      })
      return {
        current,
        named: (name) => {
          if (name === current.name) return Option.some(current)
          return name === builtInEmbedder.name ? Option.some(builtInEmbedder) : Option.none()
        }
      }
    })
  )

  /** Only the built-in embedder. */
  static readonly builtIn = Layer.succeed(this, {
    current: builtInEmbedder,
    named: (name) => (name === builtInEmbedder.name ? Option.some(builtInEmbedder) : Option.none())
  })
}
