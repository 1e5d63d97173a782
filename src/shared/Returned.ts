/** What the owner is told about a link that its address, saved again, has brought back. */
export const returnedSentences = {
  trash: "It was in the trash and is back.",
  unshared:
    "It was in the trash and is back. It was shared before, by itself or with its collection, and is private now.",
  archive: "It was archived and is unread again."
} as const
