import { readStored, writeStored } from "./storage.ts"

/** The texts that were typed about a link and not saved, by their fields. */
const readDraft = (id: number): Readonly<Record<string, unknown>> => {
  const draft = readStored(`draft.${id}`)
  return typeof draft === "object" && draft !== null ? { ...draft } : {}
}

/** Returns the text that was typed into a field of a link and not saved. */
export const draftOf = (id: number, field: string): string | null => {
  const text = readDraft(id)[field]
  return typeof text === "string" ? text : null
}

/** Keeps what was typed into a field of a link until it is saved or discarded (null), in case the page is closed meanwhile. */
export const keepDraft = (id: number, field: string, text: string | null): void => {
  const { [field]: _, ...others } = readDraft(id)
  const draft = text === null ? others : { ...others, [field]: text }
  writeStored(`draft.${id}`, Object.keys(draft).length === 0 ? null : draft)
}
