import type { Scope } from "../../src/domain/Token.ts"

/** What a program may do, in words, in the order in which it is asked for. */
export const scopeWords: Readonly<Record<Scope, { readonly title: string; readonly about: string }>> = {
  read: {
    title: "Read your library",
    about: "Search it, and read all links, notes, highlights and kept pages."
  },
  save: { title: "Save links", about: "Add links, and notes and tags to known ones." },
  change: {
    title: "Change links",
    about: "Edit titles, notes, tags and collections, and archive links. You can undo this."
  },
  delete: {
    title: "Delete links",
    about: "Move links to the trash, from which you can restore them for 30 days."
  },
  share: {
    title: "Publish links",
    about: "Show links on your public list, and kept pages under secret addresses."
  }
}
