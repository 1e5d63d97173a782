import type { IconName } from "../components/Icon.tsx"
import { toggleDensity } from "../state/chooseDisplay.ts"
import { type Dialog, open } from "../state/dialogs.ts"
import { done, redo, undo, undone } from "../state/history.ts"
import { trash } from "../state/list.ts"
import { nextTheme } from "../state/preferences.ts"
import { everything, type Filters, navigate, show } from "../state/route.ts"
import { signOut } from "../state/signOut.ts"
import { pause, readingJob, readPages, start, unreadPages } from "../state/startJobs.ts"
import { type Action, register } from "./registry.ts"

const view = (name: string, icon: IconName, key: string, filters: Filters): Action => ({
  name,
  group: "Go to",
  icon,
  keys: [`g ${key}`],
  perform: () => show(filters)
})

const page = (name: string, icon: IconName, path: string): Action => ({
  name,
  group: "Go to",
  icon,
  perform: () => navigate(`/dashboard/${path}`)
})

const opens = (name: string, icon: IconName, next: Dialog, keys: ReadonlyArray<string> = []): Action => ({
  name,
  group: "Library",
  icon,
  keys,
  perform: () => open(next)
})

register(
  opens("Add a link…", "plus", { kind: "add" }, ["a"]),
  view("All links", "all", "a", everything),
  view("Unread links", "unread", "u", { q: "is:unread" }),
  view("Favorites", "star", "f", { q: "", favorite: true }),
  view("Unfiled links", "inbox", "i", { q: "", collection: "none" }),
  view("Shared links", "share", "s", { q: "", shareable: true }),
  view("Archived links", "archive", "y", { q: "is:archived" }),
  view("Trash", "trash", "t", trash),
  page("Find duplicates", "copies", "duplicates"),
  page("Statistics", "rows", "statistics"),
  page("Settings", "settings", "settings"),
  { name: "Sign out", group: "Go to", icon: "external", perform: () => void signOut() },

  {
    name: "Undo",
    group: "Library",
    icon: "undo",
    keys: ["Mod+z", "z"],
    isAvailable: () => done.value.length > 0,
    perform: () => undo()
  },
  {
    name: "Redo",
    group: "Library",
    icon: "redo",
    keys: ["Mod+Shift+z", "Mod+y", "Shift+z"],
    isAvailable: () => undone.value.length > 0,
    perform: () => redo()
  },
  opens("Changes made here…", "clock", { kind: "history" }, ["h"]),
  opens("Import a file…", "upload", { kind: "import" }),
  opens("Export as JSON, HTML or CSV…", "download", { kind: "export" }),
  {
    name: "Read the pages of imported links",
    group: "Library",
    icon: "read",
    isAvailable: () => unreadPages.value > 0 && readingJob.value === undefined,
    perform: readPages
  },
  {
    name: "Pause reading pages",
    group: "Library",
    icon: "pause",
    isAvailable: () => readingJob.value !== undefined,
    perform: () => pause("read")
  },
  opens("Organize…", "folder", { kind: "organize" }),
  opens("Recategorize…", "tag", { kind: "recategorize" }),
  {
    name: "Refresh the summaries of other models",
    group: "Library",
    icon: "refresh",
    perform: () => void start({ action: "refresh", otherModel: true })
  },
  { name: "Cards or rows", group: "Library", icon: "rows", keys: ["Shift+d"], perform: toggleDensity },
  { name: "Theme: system, light or dark", group: "Library", icon: "auto", perform: nextTheme },
  opens("Keyboard shortcuts", "keyboard", { kind: "shortcuts" }, ["?"])
)
