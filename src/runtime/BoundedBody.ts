import { Effect, Stream } from "effect"

/** Passes bytes on, and fails as soon as there are more than `most`. */
export const boundedBytes =
  <E2>(most: number, tooLong: () => E2) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E | E2, R> =>
    Stream.suspend(() => {
      let size = 0
      return Stream.tap(bytes, (chunk): Effect.Effect<void, E2> => {
        size += chunk.length
        return size > most ? Effect.fail(tooLong()) : Effect.void
      })
    })

/** Reads bytes as UTF-8 text, and fails as soon as there are more than `most`; the rest is not read. */
export const boundedText =
  <E2>(most: number, tooLong: () => E2) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Effect.Effect<string, E | E2, R> =>
    Effect.map(Stream.runCollect(boundedBytes(most, tooLong)(bytes)), (chunks) =>
      new TextDecoder().decode(Buffer.concat([...chunks]))
    )
