import { Context, type Effect, Schema, type Stream } from "effect"

/** What to count: the numbers up to `to`; at `dieAt` the thread dies, unless the file `once` exists. */
export interface Counting {
  readonly to: number
  readonly dieAt?: number
  readonly failAt?: number
  readonly once?: string
}

/** A service that echoes texts, of which some have effects of their own (`echoThread.ts`), and counts. */
export class Echo extends Context.Tag("Echo")<
  Echo,
  {
    readonly say: (text: string) => Effect.Effect<string, string>
    readonly count: (counting: Counting) => Stream.Stream<number, string>
  }
>() {}

export const echo = { tag: Echo, failure: Schema.String }
