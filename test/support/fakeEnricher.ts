import { Effect, Layer } from "effect"
import type { Enrichment, Hints } from "../../src/domain/Enrichment.ts"
import { Enricher, enrichmentAfterCrashes, type Material } from "../../src/enrich/Enricher.ts"

/** An enricher whose sources together find this about an address. */
export const fakeEnricher = (
  answer: (about: { readonly url: URL; readonly hints: Hints }) => Effect.Effect<Enrichment>
) => {
  const answers = new WeakMap<Material, Enrichment>()
  return Layer.succeed(Enricher, {
    gather: (url, hints) =>
      Effect.map(answer({ url, hints }), (found) => {
        const material: Material = { ...found, url }
        answers.set(material, found)
        return material
      }),
    describeUnread: (url, hints) => Effect.succeed(enrichmentAfterCrashes(url, hints)),
    summarize: (material) =>
      Effect.suspend(() => {
        const found = answers.get(material)
        return found === undefined ? Effect.dieMessage("this was not gathered here") : Effect.succeed(found)
      })
  })
}

/** An enricher that never answers, for tests that save nothing. */
export const silentEnricher = fakeEnricher(() => Effect.never)
