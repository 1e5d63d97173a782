import { Context, Effect, Layer } from "effect"
import { isMulticastName, type Names, names, systemLookUp } from "../runtime/Names.ts"

/** How many names are looked up at once; more wait. One that hangs costs a few kilobytes for some seconds. */
const AT_ONCE = 512
/** How long a caller waits for a look-up, its turn included. */
const PATIENCE = "5 seconds"

/** Turns a host name into addresses. */
export class Resolver extends Context.Tag("Resolver")<
  Resolver,
  {
    /**
     * Every address of the name; none where it has none, or no answer came within five seconds. `trusted`: the owner has
     * listed the host, so that names which only this machine or its network knows are looked up too.
     */
    readonly lookup: (name: string, trusted: boolean) => Effect.Effect<ReadonlyArray<string>>
  }
>() {
  /**
   * A resolver over these sources of names. A stranger's name goes to the hosts file and the DNS alone, where a look-up
   * that hangs costs nothing. `system` may occupy a pool thread for minutes, so it runs one look-up at a time.
   */
  static readonly over = (sources: Names, system: typeof systemLookUp = systemLookUp) =>
    Layer.scoped(
      this,
      Effect.gen(function* () {
        const scope = yield* Effect.scope
        const turns = yield* Effect.makeSemaphore(AT_ONCE)
        const systemTurn = yield* Effect.makeSemaphore(1)

        // Nothing cancels the system's look-up: it keeps its turn until it ends, even if its caller has stopped waiting.
        const askSystem = (name: string) =>
          Effect.uninterruptibleMask((restore) =>
            restore(systemTurn.take(1)).pipe(
              Effect.zipRight(
                Effect.promise(() => system(name).catch(() => [])).pipe(
                  Effect.interruptible,
                  Effect.ensuring(systemTurn.release(1)),
                  Effect.forkIn(scope)
                )
              ),
              Effect.flatMap((asking) => restore(asking.await)),
              Effect.flatten
            )
          )

        const ask = Effect.fnUntraced(function* (name: string, trusted: boolean) {
          if (trusted && isMulticastName(name)) return yield* askSystem(name)
          const found = yield* turns.withPermits(1)(Effect.promise((signal) => sources.lookUp(name, signal)))
          if (found.state === "found") return found.addresses
          return trusted || found.state === "unreachable" ? yield* askSystem(name) : []
        })

        return {
          lookup: Effect.fn("Resolver.lookup")((name, trusted) =>
            Effect.timeoutTo(ask(name, trusted), {
              duration: PATIENCE,
              onSuccess: (addresses) => addresses,
              onTimeout: () => []
            })
          )
        }
      })
    )

  /** The machine's own names. */
  static readonly layer = this.over(names)
}
