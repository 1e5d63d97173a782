const keyOf = (id: number) => `linkbower.draft.${id}`

/** Keeps what was typed about a link until it is saved or discarded, in case the page is closed meanwhile. */
export const writeDraft = (id: number, fields: object): void => {
  try {
    localStorage.setItem(keyOf(id), JSON.stringify(fields))
  } catch {
    // Without storage, the text is lost with the page.
  }
}

/** Returns the texts that were typed about a link and not saved, by their fields. */
export const readDraft = (id: number): ReadonlyMap<string, unknown> => {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(keyOf(id)) ?? "null")
    return new Map(typeof draft === "object" && draft !== null ? Object.entries(draft) : [])
  } catch {
    return new Map()
  }
}

export const forgetDraft = (id: number): void => {
  try {
    localStorage.removeItem(keyOf(id))
  } catch {
    // A browser that blocks storage has kept no draft.
  }
}
