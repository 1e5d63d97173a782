import { Effect } from "effect"
import { embeddingText } from "../domain/Enrichment.ts"
import { builtIn } from "../enrich/embedding/BuiltIn.ts"
import { awaitQuietTurn } from "../runtime/Scheduling.ts"
import { Service } from "../runtime/Services.ts"
import { quantize } from "../search/Quantize.ts"
import { PublicVectors, type PublicWaiting } from "../store/public/PublicVectors.ts"
import { Events } from "./Events.ts"

const BATCH = 32
/** The command line changes links without an event. */
const INTERVAL = "1 minute"

const vectorOf = (link: PublicWaiting) => {
  const floats = builtIn.embed(embeddingText({ ...link, note: "" }))
  return { linkId: link.id, place: link.place, floats, ...quantize(floats) }
}

const make = Effect.gen(function* () {
  const store = yield* PublicVectors
  const events = yield* Events

  const catchUp = Effect.gen(function* () {
    for (;;) {
      const batch = yield* store.waiting(BATCH)
      if (batch.length === 0) return
      yield* store.write(builtIn.name, batch.map(vectorOf))
      yield* awaitQuietTurn
    }
  }).pipe(
    Effect.catchAllCause((cause) => Effect.logWarning("Embedding the shared links failed", cause)),
    Effect.withSpan("PublicEmbeddings.catchUp")
  )

  yield* Effect.catchAllCause(store.prepare(builtIn.name), (cause) =>
    Effect.logWarning("The vectors of the shared links could not be checked", cause)
  )

  return {
    catchUp,
    run: events.drain(({ type }) => type === "link", Effect.as(catchUp, INTERVAL), {
      name: "embedding the shared links"
    })
  }
})

/** By the built-in embedder from public fields, so that a public search depends on nothing private. */
export class PublicEmbeddings extends Service<PublicEmbeddings>()("PublicEmbeddings", make) {}
