/**
 * The everyday tests show every kind of behaviour once. The long tier adds what repeats, floods, kills in loops and
 * waits: it runs the same tests, with more rows and rounds, and others that only it registers.
 */

/** Whether this run is of the long tier. */
export const isLong = process.env["TEST_TIER"] === "long"

/** Wraps `test`, `describe` or what registers tests as they do: what it registers belongs to the long tier. */
export const long =
  <Args extends ReadonlyArray<unknown>>(register: (...args: Args) => unknown) =>
  (...args: Args): void => {
    if (isLong) register(...args)
  }

/** A number of rounds, rows or bytes: the first in everyday runs, the second in the long tier. */
export const byTier = <A>(everyday: A, whole: A): A => (isLong ? whole : everyday)

/** By how much longer guards against hanging are in the long tier, whose tests have more to do. */
export const PATIENCE = byTier(1, 5)

/**
 * All rows in the long tier; in everyday runs at most `most` of them, evenly spread, so that rows of every part of the
 * table are among them.
 */
export const sampleOf = <A>(rows: ReadonlyArray<A>, most: number): ReadonlyArray<A> =>
  isLong || rows.length <= most
    ? rows
    : Array.from({ length: most }, (_, at) => rows[Math.floor((at * rows.length) / most)]).filter(
        (row) => row !== undefined
      )
