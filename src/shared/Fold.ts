/** Folds a text for comparison: compatibility forms unified (NFKD, UAX #15), no accents, lower case. */
export const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
