/** The reason for a failure, as a sentence. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : "Something went wrong."
