/** What servers add to the name they were asked for: a version by its day, or the tag that stands for none. */
const addition = /(?:-20\d\d-?[01]\d-?[0-3]\d|:latest)$/

const bare = (name: string): string =>
  name
    .replace(/^models\//, "")
    .replace(addition, "")
    .toLowerCase()

/** Whether two names mean the same model: servers answer as `llama3.2:latest` or `gpt-5-2026-01-15` to a shorter name. */
export const isSameModel = (one: string, other: string): boolean => bare(one) === bare(other)
