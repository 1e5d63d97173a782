import { MAX_COLLECTION_DEPTH, MAX_COLLECTION_NAME, MAX_COLLECTION_PATH } from "./Limits.ts"
import { shortened } from "./Text.ts"

/** Between the steps of a collection's path: `Programming / Effect`. A slash without blanks belongs to a name. */
const SEPARATOR = " / "

/** Returns the steps of a path, outermost first. */
export const stepsOf = (path: string): ReadonlyArray<string> => path.split(SEPARATOR)

export const pathOf = (steps: ReadonlyArray<string>): string => steps.join(SEPARATOR)

export const ownName = (path: string): string => stepsOf(path).at(-1) ?? path

/** Returns a path of at most `limit` characters for a label: outer names give way to `…` before the own name does. */
export const shortPath = (path: string, limit: number): string => {
  const steps = stepsOf(path)
  const fitting = steps
    .map((_, from) => (from === 0 ? path : pathOf(["…", ...steps.slice(from)])))
    .find((label) => label.length <= limit)
  return fitting ?? shortened(ownName(path), limit)
}

export const parentPath = (path: string): string | null => {
  const steps = stepsOf(path)
  return steps.length < 2 ? null : pathOf(steps.slice(0, -1))
}

export const pathWithin = (parent: string | null, name: string): string =>
  parent === null ? name : `${parent}${SEPARATOR}${name}`

/** Whether a collection lies in another one, at any depth; case is ignored, as in the library. */
export const isWithin = (path: string, parent: string): boolean =>
  path.toLowerCase().startsWith(`${parent}${SEPARATOR}`.toLowerCase())

/** Returns the path and those of all collections around it, outermost first. */
export const pathsTo = (path: string): ReadonlyArray<string> =>
  stepsOf(path).map((_, index, steps) => pathOf(steps.slice(0, index + 1)))

/** Normalizes a collection's name or path to one line; null if it is empty, too long or too deep. */
export const normalizeCollectionPath = (raw: string): string | null => {
  const steps = ` ${raw} `
    .replace(/\s+/g, " ")
    .split(SEPARATOR)
    .map((step) => step.trim())
    .filter((step) => step !== "")
  const path = pathOf(steps)
  return steps.length === 0 ||
    steps.length > MAX_COLLECTION_DEPTH ||
    steps.some((step) => step.length > MAX_COLLECTION_NAME) ||
    path.length > MAX_COLLECTION_PATH
    ? null
    : path
}
