import { render } from "preact"
import { startCardInput } from "./cardInput.ts"
import { App } from "./components/App.tsx"
import { startKeys } from "./keys.ts"
import { registerWorker } from "./registerWorker.ts"
import { readOwnerStart } from "./start.ts"
import { startConnection } from "./state/connection.ts"
import { startDrops } from "./state/drop.ts"
import { startEvents } from "./state/events.ts"
import { followSignOut } from "./state/followSignOut.ts"
import { loadJobs } from "./state/jobs.ts"
import { loadOnInteraction } from "./state/lazy.ts"
import { startList } from "./state/list.ts"
import { meta, refreshMeta } from "./state/meta.ts"
import { startTheme } from "./state/preferences.ts"
import { startNavigation, startsInOtherOrder } from "./state/route.ts"

const root = document.getElementById("app")
if (root !== null) {
  const start = readOwnerStart()
  meta.value = start.meta
  if (start.meta === null) refreshMeta()
  followSignOut()
  startConnection()
  startTheme()
  startNavigation()
  startList(startsInOtherOrder ? null : start.page)
  render(<App />, root)
  startCardInput(root)
  startKeys()
  startDrops()
  startEvents(start.revision)
  loadOnInteraction()
  registerWorker()
  void loadJobs()
}
