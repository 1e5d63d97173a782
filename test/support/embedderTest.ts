import { Effect, Layer, type Scope } from "effect"
import type { YieldWrap } from "effect/Utils"
import type { effectTest } from "./effect.ts"
import { type FakeEmbedder, fakeEmbedder, libraryWith } from "./fakeEmbeddings.ts"

type Services = Layer.Layer.Success<ReturnType<typeof libraryWith>> | Scope.Scope

/** Tests of a library with a fake embedder of their own, which the body receives; `run` is one of `effect.ts`. */
export const embedderTest =
  (run: typeof effectTest, make: () => FakeEmbedder = () => fakeEmbedder("a", 8)) =>
  (
    name: string,
    body: (
      embedder: FakeEmbedder
    ) => Generator<YieldWrap<Effect.Effect<unknown, unknown, Services>>, void, never>
  ) =>
    run(Layer.empty)(
      name,
      Effect.suspend(() => {
        const embedder = make()
        return Effect.provide(
          Effect.gen(() => body(embedder)),
          libraryWith(embedder)
        )
      })
    )
