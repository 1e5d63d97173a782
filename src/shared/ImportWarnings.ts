import { count } from "./Format.ts"
import { oneLine, shortened } from "./Text.ts"

/** The kinds of values that an import does not keep as they stand in the file, each with its sentence. */
export const importWarnings = {
  note_shortened: (all: number) => `${count(all, "note was", "notes were")} too long and shortened`,
  title_shortened: (all: number) => `${count(all, "title was", "titles were")} too long and shortened`,
  description_shortened: (all: number) =>
    `${count(all, "description was", "descriptions were")} too long and shortened`,
  folder_shortened: (all: number) =>
    `${count(all, "folder was", "folders were")} too deep or had too long a name, and ${all === 1 ? "was" : "were"} shortened`,
  tag_shortened: (all: number) => `${count(all, "tag was", "tags were")} too long and shortened`,
  tag_dropped: (all: number) =>
    `${count(all, "tag was", "tags were")} dropped: a tag needs a letter, a digit or an emoji, and a link has at most 100`,
  highlight_shortened: (all: number) =>
    `${count(all, "highlight was", "highlights were")} too long and shortened`,
  highlight_dropped: (all: number) =>
    `${count(all, "highlight was", "highlights were")} dropped: a link has at most 1,000`,
  date_not_understood: (all: number) =>
    `${count(all, "date was", "dates were")} not understood, so the date of the import counts`,
  not_shared: (all: number) =>
    `${count(all, "link")} that the file shares ${all === 1 ? "was" : "were"} imported unshared`,
  folder_shared: (all: number) =>
    `${count(all, "link was", "links were")} not put in a collection that you share; its name became a tag`,
  tags_not_shared: (all: number) =>
    `${count(all, "link")} that you share kept ${all === 1 ? "its" : "their"} tags, without those in the file`,
  file_missing: (all: number) =>
    `${count(all, "file")} of a page ${all === 1 ? "is" : "are"} missing or damaged in the zip`,
  files_full: (all: number) =>
    `${count(all, "picture or snapshot was", "pictures and snapshots were")} left out: KEEP_PICTURES has no more room`
} satisfies Record<string, (all: number) => string>

export type WarningKind = keyof typeof importWarnings

/** What an import did not keep as it stands in its file: how often, and the first few of these values. */
export interface ImportWarning {
  readonly kind: WarningKind
  readonly count: number
  readonly examples: ReadonlyArray<string>
}

export type Warn = (kind: WarningKind, value: string) => void

/** Maximum number of examples of a kind, and the length of each in UTF-16 units. */
const MAX_EXAMPLES = 5
const MAX_EXAMPLE = 80

export const joinWarnings = (
  ...all: ReadonlyArray<ReadonlyArray<ImportWarning>>
): ReadonlyArray<ImportWarning> => {
  const byKind = new Map<WarningKind, ImportWarning>()
  for (const { count, examples, kind } of all.flat()) {
    const before = byKind.get(kind)
    byKind.set(kind, {
      kind,
      count: count + (before?.count ?? 0),
      examples: [...(before?.examples ?? []), ...examples].slice(0, MAX_EXAMPLES)
    })
  }
  return [...byKind.values()]
}

export const collectWarnings = () => {
  const counts = new Map<WarningKind, number>()
  const examples = new Map<WarningKind, Array<string>>()
  const warn: Warn = (kind, value) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    const some = examples.get(kind) ?? []
    if (some.length < MAX_EXAMPLES) some.push(shortened(oneLine(value), MAX_EXAMPLE))
    examples.set(kind, some)
  }
  return {
    warn,
    all: (): ReadonlyArray<ImportWarning> =>
      [...counts].map(([kind, count]) => ({ kind, count, examples: examples.get(kind) ?? [] }))
  }
}

export const warningText = ({ count: all, examples, kind }: ImportWarning): string => {
  const shown = examples.map((example) => `“${example}”`).join(", ")
  return `${importWarnings[kind](all)}${shown === "" ? "" : `: ${shown}`}${all > examples.length && shown !== "" ? " …" : ""}.`
}
