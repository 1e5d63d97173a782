import { effect } from "@preact/signals"
import { count } from "../../../src/shared/Format.ts"
import { asMarkdown, asUrls, copyText } from "../copyText.ts"
import { linkOf } from "../state/entities.ts"
import { refreshingLinks, refreshLink } from "../state/jobs.ts"
import { listing } from "../state/list.ts"
import { briefsOf } from "../state/matching.ts"
import { tell, tellFailure } from "../state/toasts.ts"

type Ids = ReadonlyArray<number>

/** The most links that are read again at once. */
const MOST_REFRESHED = 20
/** How long one of them may take before the next is begun, in milliseconds. */
const PATIENCE = 60_000

/** Whether a switch is on for all of them: one that is not loaded has it if the view says so. */
export const allHave = (name: "favorite" | "shareable", ids: Ids): boolean =>
  ids.every((id) => linkOf(id)?.value[name] ?? listing.peek()?.filters[name] ?? false)

const refreshed = (id: number): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = effect(() => {
    if (!refreshingLinks.value.has(id)) resolve()
  })
  const timer = setTimeout(resolve, PATIENCE)
  return promise.finally(() => {
    stop()
    clearTimeout(timer)
  })
}

/** Reads the pages again, one after another, where they are not too many; the first that cannot be ends it. */
export const refreshAll = async (ids: Ids): Promise<void> => {
  if (ids.length > MOST_REFRESHED)
    return tell(`Up to ${MOST_REFRESHED} pages can be read again at once.`, { kind: "failed" })
  for (const id of ids) {
    if (!(await refreshLink(id))) return
    await refreshed(id)
  }
  tell(`Read ${count(ids.length, "page")} again.`)
}

/** Puts the links on the clipboard. */
export const copyLinks = async (ids: Ids, kind: "markdown" | "urls"): Promise<void> => {
  const links = briefsOf(ids)
  try {
    await copyText(kind === "markdown" ? asMarkdown(links) : asUrls(links))
    tell(`Copied ${count(links.length, "link")}.`)
  } catch (error) {
    tellFailure("Not copied.", error)
  }
}
