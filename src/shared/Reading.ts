/** From this part of an article on, from 0 to 1, it counts as begun: opening it alone does not. */
export const BEGUN = 0.02

/** From this part of an article on, from 0 to 1, it counts as read: what follows the text may stay unseen. */
export const FINISHED = 0.98

/** Maximum offset in an article's text, in UTF-16 units: more than any kept article has. */
export const MAX_OFFSET = 100_000_000

/** Maximum age of a position that a browser sends late, in seconds. */
export const MAX_POSITION_AGE = 366 * 24 * 60 * 60

export const isBegun = (at: number): boolean => at >= BEGUN && at < FINISHED
