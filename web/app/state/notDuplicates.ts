import { signal } from "@preact/signals"

const NAME = "linkbower.notDuplicates"
/** How many groups are remembered; the oldest is forgotten first. */
const MOST = 500

const keyOf = (ids: ReadonlyArray<number>): string => ids.toSorted((a, b) => a - b).join(",")

const read = (): ReadonlyArray<string> => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? "[]")
    return Array.isArray(kept) ? kept.filter((key) => typeof key === "string").slice(-MOST) : []
  } catch {
    return []
  }
}

const apart = signal(read())

const write = (keys: ReadonlyArray<string>) => {
  apart.value = keys.slice(-MOST)
  try {
    localStorage.setItem(NAME, JSON.stringify(apart.value))
  } catch {
    // Where storage is forbidden it is remembered as long as the page lives.
  }
}

/** Whether the owner has said that exactly these links are different things. */
export const areApart = (ids: ReadonlyArray<number>): boolean => apart.value.includes(keyOf(ids))

/** Remembers in this browser that these links are different things, or forgets it again. */
export const setApart = (ids: ReadonlyArray<number>, on: boolean): void => {
  const others = apart.value.filter((key) => key !== keyOf(ids))
  write(on ? [...others, keyOf(ids)] : others)
}
