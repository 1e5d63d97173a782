/** What this browser has stored as JSON; null if nothing, if it is damaged, or if storage is blocked. */
export const readStored = (name: string, kind: "local" | "session" = "local"): unknown => {
  try {
    return JSON.parse(window[`${kind}Storage`].getItem(`linkbower.${name}`) ?? "null")
  } catch {
    return null
  }
}

/** Stores a value as JSON, or removes it (null). Without storage, it lasts as long as the page. */
export const writeStored = (name: string, value: unknown, kind: "local" | "session" = "local"): void => {
  try {
    const storage = window[`${kind}Storage`]
    if (value === null) storage.removeItem(`linkbower.${name}`)
    else storage.setItem(`linkbower.${name}`, JSON.stringify(value))
  } catch {
    // Storage is full or blocked.
  }
}
