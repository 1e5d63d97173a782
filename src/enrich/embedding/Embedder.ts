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

/** The embedder the settings choose, and those that made the vectors there are. */
export class Embedder extends Context.Tag("Embedder")<
  Embedder,
  {
    /** The one that new vectors are made with. */
    readonly current: TextEmbedder
    /** The one of this name, where it can still be asked. */
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

  /** The built-in one alone. */
  static readonly builtIn = Layer.succeed(this, {
    current: builtInEmbedder,
    named: (name) => (name === builtInEmbedder.name ? Option.some(builtInEmbedder) : Option.none())
  })
}
