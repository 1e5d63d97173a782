import "./actions/library.ts"
import "./actions/links.ts"
import "./actions/moving.ts"
import "./actions/reader.ts"
import { startCardKeys } from "./cardKeys.ts"
import { AddDialog } from "./components/AddDialog.tsx"
import { BulkBar } from "./components/BulkBar.tsx"
import { CardMenu } from "./components/CardMenu.tsx"
import { EditCollection } from "./components/CollectionDialog.tsx"
import { DeleteForever } from "./components/DeleteForever.tsx"
import { Drawer } from "./components/Drawer.tsx"
import { DropTarget } from "./components/DropTarget.tsx"
import { ExportDialog } from "./components/ExportDialog.tsx"
import { HistoryDialog } from "./components/HistoryDialog.tsx"
import { ImportDialog } from "./components/ImportDialog.tsx"
import "./components/laterIcons.ts"
import { MoreMenu } from "./components/MoreMenu.tsx"
import { OrganizeDialog } from "./components/OrganizeDialog.tsx"
import { Palette } from "./components/Palette.tsx"
import { PickDialog } from "./components/PickDialog.tsx"
import { QuestionDialog } from "./components/QuestionDialog.tsx"
import { RecategorizeDialog } from "./components/RecategorizeDialog.tsx"
import { RenameLabel } from "./components/RenameLabel.tsx"
import { SaveSearchDialog } from "./components/SearchesPage.tsx"
import { ShareDialog } from "./components/ShareDialog.tsx"
import { SharePageDialog } from "./components/SharePageDialog.tsx"
import { Shortcuts } from "./components/Shortcuts.tsx"
import { TagsDialog } from "./components/TagsDialog.tsx"
import { startPrinting } from "./print.tsx"
import { followOffline } from "./reader/readOffline.ts"
import { startDetail } from "./state/detail.ts"
import { dialog } from "./state/dialogs.ts"
import { startFiling } from "./state/filing.ts"
import { guardUnload } from "./state/queue.ts"
import { startSwipes } from "./swipe.ts"

export { announceEnd } from "./announceEnd.ts"
export { CardTools } from "./components/CardTools.tsx"
export { DetailPane } from "./components/DetailPane.tsx"
export { DisplayPanel } from "./components/DisplayPanel.tsx"
export { Incomplete } from "./components/Incomplete.tsx"
export { JobsPanel } from "./components/JobsPanel.tsx"
export { KeyNames } from "./components/KeyNames.tsx"
export { Nothing } from "./components/Nothing.tsx"
export { OfflineArticles } from "./components/OfflineArticles.tsx"
export { JobsStatus, RunningJobs } from "./components/RunningJobs.tsx"
export { ViewActions } from "./components/ViewActions.tsx"
export * as detail from "./state/detail.ts"
export * as session from "./state/signOut.ts"
export { accept, completionAt } from "./suggest.ts"
export { sites, sources } from "./suggestionSources.ts"

startCardKeys()
startDetail()
startPrinting()
followOffline()
guardUnload()
startSwipes()
startFiling()

/** The dialogs that change links. */
const LinkDialogs = () => {
  const now = dialog.value
  switch (now?.kind) {
    case "deleteForever":
      return <DeleteForever ids={now.ids} />
    case "editCollection":
      return <EditCollection id={now.id} />
    case "renameLabel":
      return <RenameLabel kind={now.label} name={now.name} />
    case "tags":
      return <TagsDialog ids={now.ids} />
    case "search":
      return <SaveSearchDialog />
    case "share":
      return <ShareDialog ids={now.ids} />
    case "sharePage":
      return <SharePageDialog key={now.id} id={now.id} />
    case "category":
    case "collection":
      return <PickDialog key={now.kind} kind={now.kind} ids={now.ids} />
    default:
      return null
  }
}

/** Everything shown over the page. */
export const Overlays = () => (
  <>
    <BulkBar />
    <Drawer />
    <CardMenu />
    <LinkDialogs />
    <AddDialog />
    <ImportDialog />
    <ExportDialog />
    <OrganizeDialog />
    <RecategorizeDialog />
    <HistoryDialog />
    <MoreMenu />
    <Palette />
    <Shortcuts />
    <DropTarget />
    <QuestionDialog />
  </>
)
