import "./actions/library.ts"
import "./actions/links.ts"
import "./actions/moving.ts"
import "./actions/reader.ts"
import { announceEnd } from "./announceEnd.ts"
import { startCardKeys } from "./cardKeys.ts"
import { BulkBar } from "./components/BulkBar.tsx"
import { CardMenu } from "./components/CardMenu.tsx"
import { Dialogs, Drawer, DropTarget, QuestionDialog, startDetails } from "./components/Dialogs.tsx"
import { ended } from "./state/jobs.ts"
import "./components/laterIcons.ts"
import { startPrinting } from "./print.tsx"
import { followOffline } from "./reader/readOffline.ts"
import { startDetail } from "./state/detail.ts"
import { startDrops } from "./state/drop.ts"
import { startFiling } from "./state/filing.ts"
import { guardUnload } from "./state/queue.ts"
import { startSwipes } from "./swipe.ts"

export { CardTools } from "./components/CardMenu.tsx"
export { DetailPane } from "./components/Dialogs.tsx"
export { DisplayPanel } from "./components/DisplayPanel.tsx"
export { Incomplete } from "./components/Incomplete.tsx"
export { JobsPanel, JobsStatus, RunningJobs } from "./components/JobsPanel.tsx"
export { KeyNames } from "./components/KeyNames.tsx"
export { Missing, Nothing, OfflineArticles } from "./components/Nothing.tsx"
export { SearchSuggestions } from "./components/SearchSuggestions.tsx"
export { ViewActions } from "./components/ViewActions.tsx"
export * as detail from "./state/detail.ts"
export { showDragged, takePasted } from "./state/drop.ts"
export * as session from "./state/signOut.ts"
export { accept, completionAt } from "./suggest.ts"
export { sites, sources } from "./suggestionSources.ts"

startCardKeys()
startDetail()
startDetails()
startPrinting()
followOffline()
guardUnload()
startSwipes()
startFiling()
startDrops()
ended.subscribe((job) => job !== null && announceEnd(job))

/** Everything shown over the page. */
export const Overlays = () => (
  <>
    <BulkBar />
    <Drawer />
    <CardMenu />
    <Dialogs />
    <DropTarget />
    <QuestionDialog />
  </>
)
