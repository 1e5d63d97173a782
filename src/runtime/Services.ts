import { Context, Effect, Layer, type Scope } from "effect"

interface ServiceClass<Self, Id extends string, A, E, R> extends Context.TagClass<Self, Id, A> {
  readonly make: Effect.Effect<A, E, R>
  readonly layer: Layer.Layer<Self, E, Exclude<R, Scope.Scope>>
}

/**
 * The tag of a service, which `make` makes and thereby describes: `class Name extends Service<Name>()("Name", make) {}`.
 * The next major version of Effect has the same form.
 */
export const Service =
  <Self>() =>
  <const Id extends string, A, E, R>(
    id: Id,
    make: Effect.Effect<A, E, R>
  ): ServiceClass<Self, Id, A, E, R> => {
    const tag = Context.Tag(id)<Self, A>()
    return Object.assign(tag, { make, layer: Layer.scoped(tag, make) })
  }

export const none: Effect.Effect<Context.Context<never>> = Effect.succeed(Context.empty())

/**
 * Runs work that needs no services without those around it: each span and each transaction copies a context and compares
 * it, service by service.
 */
export const withoutServices = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.mapInputContext(work, Context.empty)

/**
 * Makes a service with those before it. `Layer.scopedContext` of the last is one layer of them all: a layer for each would
 * cost a start two fibers and some two hundred operations of the interpreter a service.
 */
export const and =
  <I, S, E2, R2>(tag: Context.Tag<I, S>, make: Effect.Effect<S, E2, R2>) =>
  <A, E, R>(
    before: Effect.Effect<Context.Context<A>, E, R>
  ): Effect.Effect<Context.Context<A | I>, E | E2, R | Exclude<R2, A>> =>
    Effect.flatMap(before, (made) =>
      Effect.map(Effect.provide(make, made), (service) => Context.add(made, tag, service))
    )

/** Builds a layer upon the services before it. A layer that several need is built once, as below one `Layer.build`. */
export const andLayer =
  <I, E2, R2>(layer: Layer.Layer<I, E2, R2>) =>
  <A, E, R>(
    before: Effect.Effect<Context.Context<A>, E, R>
  ): Effect.Effect<Context.Context<A | I>, E | E2, R | Scope.Scope | Exclude<R2, A>> =>
    Effect.flatMap(before, (made) =>
      Effect.all([Layer.CurrentMemoMap, Effect.scope]).pipe(
        Effect.flatMap(([memoMap, scope]) => Layer.buildWithMemoMap(layer, memoMap, scope)),
        Effect.map((more) => Context.merge(made, more)),
        Effect.provide(made)
      )
    )
