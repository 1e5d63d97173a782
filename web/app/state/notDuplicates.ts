import { computed, signal } from "@preact/signals"
import { readStored, writeStored } from "./storage.ts"

const NAME = "notDuplicates"
/** Maximum number of groups remembered; the oldest are dropped first. */
const MAX_GROUPS = 500

const keyOf = (ids: ReadonlyArray<number>): string => ids.toSorted((a, b) => a - b).join(",")

const read = (): ReadonlyArray<string> => {
  const kept = readStored(NAME)
  return Array.isArray(kept) ? kept.filter((key) => typeof key === "string").slice(-MAX_GROUPS) : []
}

const dismissed = signal(read())

const write = (keys: ReadonlyArray<string>) => {
  dismissed.value = keys.slice(-MAX_GROUPS)
  writeStored(NAME, dismissed.value)
}

/** Whether the owner has marked exactly these links as not duplicates. */
export const isDismissed = (ids: ReadonlyArray<number>): boolean => dismissed.value.includes(keyOf(ids))

/** Marks these links as not duplicates in this browser, or removes the mark. */
export const setDismissed = (ids: ReadonlyArray<number>, on: boolean): void => {
  const others = dismissed.value.filter((key) => key !== keyOf(ids))
  write(on ? [...others, keyOf(ids)] : others)
}

/** How many groups are marked as not duplicates in this browser. */
export const dismissedCount = computed(() => dismissed.value.length)

/** Removes the marks of all groups. */
export const forgetDismissed = (): void => write([])
