import { lookup } from "node:dns/promises"
import { Context, Effect, Layer } from "effect"

/** Turns a host name into addresses. */
export class Resolver extends Context.Tag("Resolver")<
  Resolver,
  {
    /** Every address of the name; none where it has none or cannot be looked up. */
    readonly lookup: (name: string) => Effect.Effect<ReadonlyArray<string>>
  }
>() {
  /** The system's resolver. */
  static readonly layer = Layer.succeed(this, {
    lookup: Effect.fn("Resolver.lookup")((name) =>
      Effect.tryPromise(() => lookup(name, { all: true, verbatim: true })).pipe(
        Effect.map((found) => found.map(({ address }) => address)),
        Effect.orElseSucceed(() => [])
      )
    )
  })
}
