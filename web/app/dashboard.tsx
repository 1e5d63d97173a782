import { render } from "preact"
import { App } from "./components/App.tsx"
import { startKeys } from "./keys.ts"
import { registerWorker } from "./registerWorker.ts"
import { readOwnerStart } from "./start.ts"
import { startDrops } from "./state/drop.ts"
import { startEvents } from "./state/events.ts"
import { loadJobs } from "./state/jobs.ts"
import { loadOnInteraction } from "./state/lazy.ts"
import { startList } from "./state/list.ts"
import { meta, refreshMeta } from "./state/meta.ts"
import { startTheme } from "./state/preferences.ts"
import { startNavigation } from "./state/route.ts"

const root = document.getElementById("app")
if (root !== null) {
  const start = readOwnerStart()
  meta.value = start.meta
  if (start.meta === null) refreshMeta()
  startTheme()
  startNavigation()
  startList(start.page)
  render(<App />, root)
  startKeys()
  startDrops()
  startEvents()
  loadOnInteraction()
  registerWorker()
  void loadJobs()
}
