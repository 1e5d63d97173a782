import { render } from "preact"
import type { LinksPage, Meta } from "./api.ts"
import { App } from "./components/App.tsx"
import { startKeys } from "./keys.ts"
import { registerWorker } from "./registerWorker.ts"
import { readStart } from "./start.ts"
import { startConnection } from "./state/connection.ts"
import { startEvents } from "./state/events.ts"
import { followSignOut } from "./state/followSignOut.ts"
import { loadJobs } from "./state/jobs.ts"
import { startLoading } from "./state/lazy.ts"
import { startList } from "./state/list.ts"
import { refreshMeta, setMeta } from "./state/meta.ts"
import { startTheme } from "./state/preferences.ts"
import { startNavigation, startsInOtherOrder } from "./state/route.ts"
import { startTabStops } from "./tabStops.ts"

/** The embedded data; null on pages other than the list. */
interface OwnerStart {
  readonly meta: Meta | null
  readonly page: LinksPage | null
  /** The revision of the library's events before the page was made, as the event stream names it. */
  readonly revision: string | null
}

const root = document.getElementById("app")
if (root !== null) {
  const start = readStart<OwnerStart>()
  startLoading({
    work: () => import("./lazy.tsx"),
    reader: () => import("./reader/reader.tsx"),
    pages: {
      add: async () => (await import("./components/AddPage.tsx")).AddPage,
      categories: async () => (await import("./components/LabelsPage.tsx")).CategoriesPage,
      collections: async () => (await import("./components/CollectionsPage.tsx")).CollectionsPage,
      duplicates: async () => (await import("./components/DuplicatesPage.tsx")).DuplicatesPage,
      highlights: async () => (await import("./components/HighlightsPage.tsx")).HighlightsPage,
      job: async () => (await import("./components/JobPage.tsx")).JobPage,
      searches: async () => (await import("./components/SearchesPage.tsx")).SearchesPage,
      settings: async () => (await import("./components/SettingsPage.tsx")).SettingsPage,
      statistics: async () => (await import("./components/StatisticsPage.tsx")).StatisticsPage,
      tags: async () => (await import("./components/LabelsPage.tsx")).TagsPage
    }
  })
  if (start?.meta == null) refreshMeta()
  else setMeta(start.meta)
  followSignOut()
  startConnection()
  startTheme()
  startNavigation()
  startList(startsInOtherOrder ? null : (start?.page ?? null))
  render(<App />, root)
  startTabStops(root)
  startKeys()
  startEvents(start?.revision ?? null)
  registerWorker()
  void loadJobs()
}
