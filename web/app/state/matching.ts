import { signal } from "@preact/signals"
import { MAX_LIMIT } from "../../../src/shared/ListParameters.ts"
import { api, type Link } from "../api.ts"
import { open } from "./dialogs.ts"
import { peekLink } from "./entities.ts"
import { listing } from "./list.ts"
import { paramsOf } from "./route.ts"
import { select, selectedIds } from "./selection.ts"
import { tellFailure } from "./toasts.ts"

/** Asks whether to delete every link in the trash. */
export const emptyTrash = async (): Promise<void> => {
  await selectMatching()
  const ids = selectedIds.peek()
  if (ids.length > 0) open({ kind: "deleteForever", ids })
}

/** The fields of a link needed to copy it. */
type CopyableLink = Pick<Link, "id" | "title" | "url">

/** Progress of selecting all matching links; null if none is running. */
export const matching = signal<{ readonly done: number; readonly total: number } | null>(null)

/** The links of the last such selection, most of which are not loaded in the list. */
let selection: ReadonlyMap<number, CopyableLink> = new Map()
let request = new AbortController()

/** Returns those of the links that are known. */
export const copyableLinks = (ids: ReadonlyArray<number>): ReadonlyArray<CopyableLink> =>
  ids.flatMap((id) => peekLink(id) ?? selection.get(id) ?? [])

export const cancelMatching = (): void => {
  request.abort()
  matching.value = null
}

/** Selects every link that matches the view's filters, loaded or not. */
export const selectMatching = async (): Promise<void> => {
  const now = listing.peek()
  if (now === null) return
  cancelMatching()
  request = new AbortController()
  const { signal } = request
  const found = new Map<number, CopyableLink>()
  const params = paramsOf(now.filters)
  params.set("limit", String(MAX_LIMIT))
  matching.value = { done: 0, total: now.total }
  try {
    for (let cursor: string | null = ""; cursor !== null; ) {
      if (cursor !== "") params.set("cursor", cursor)
      const page = await api.links(params, signal)
      // The user has moved to another view.
      if (signal.aborted || listing.peek()?.filters !== now.filters) return
      for (const { id, title, url } of page.links) found.set(id, { id, title, url })
      cursor = page.nextCursor
      matching.value = { done: found.size, total: page.total }
    }
    selection = found
    select([...found.keys()])
  } catch (error) {
    if (!signal.aborted) tellFailure("Could not select all of them.", error)
  } finally {
    if (!signal.aborted) matching.value = null
  }
}
