/**
 * Work that ends the process is not retried endlessly. A start is counted before the work and taken back when it ends
 * cleanly, so that what is left counts the times the process died of it, or beside it.
 */

/** After this many starts that did not end cleanly a link is saved by its address alone. */
export const SPARED_AFTER = 2

/** After this many even that is given up. */
export const GIVEN_UP_AFTER = 3
