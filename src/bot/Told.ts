import { Data, Effect } from "effect"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { type Html, text } from "./Html.ts"

/** What was asked for cannot be done, for the reason it gives; nothing has been changed. */
export class Told extends Data.TaggedError("Told")<{ readonly html: Html }> {}

/** A reason in one plain sentence. */
export const told = (sentence: string): Told => new Told({ html: text(sentence) })

/** The link is not there, or no longer. */
export const gone: Told = told("This link is gone.")

/**
 * Work in two parts: what takes its time (a search, the start of a job) comes first, and answers what is to be done
 * within the transaction that marks its arrival done.
 */
export type Prepared<A> = Effect.Effect<Effect.Effect<A, Told | StoreUnavailable>, Told | StoreUnavailable>

/** Work that has no first part. */
export const atOnce = <A>(work: Effect.Effect<A, Told | StoreUnavailable>): Prepared<A> =>
  Effect.succeed(work)
