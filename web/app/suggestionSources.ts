import { effect, signal } from "@preact/signals"
import { readableHost } from "../../src/shared/HostName.ts"
import { api, type Meta } from "./api.ts"
import { meta } from "./state/meta.ts"
import type { Sources } from "./suggest.ts"

/** The sites of the library, those with the most links first; empty until something asks for them. */
export const sites = signal<Meta["tags"]>([])

let isFollowed = false

const load = async () => {
  try {
    sites.value = (await api.sites()).sites
  } catch {
    // The sites known before stay; a search finds the others too.
  }
}

/** Loads the sites now and whenever the library's counts change. */
const follow = () => {
  if (isFollowed) return
  isFollowed = true
  effect(() => {
    if (meta.value !== null) void load()
  })
}

const withCounts = (all: Meta["tags"] = []) =>
  all.map(({ count, name }) => ({ name, detail: count.toLocaleString("en") }))

/** The library's values to suggest, each with its number of links. */
export const sources = (): Sources => ({
  today: new Date(),
  values: (operator) => {
    switch (operator) {
      case "tag":
        return withCounts(meta.peek()?.tags)
      case "category":
        return withCounts(meta.peek()?.categories)
      case "collection":
        return withCounts(meta.peek()?.collections)
      case "site":
        follow()
        return withCounts(sites.peek().map(({ count, name }) => ({ count, name: readableHost(name) })))
      case "title":
      case "lang":
        return []
    }
  }
})
