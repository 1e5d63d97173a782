import { AddDialog } from "./components/AddDialog.tsx"
import { BulkBar } from "./components/BulkBar.tsx"
import { CardMenu } from "./components/CardMenu.tsx"
import { ConfirmDelete } from "./components/ConfirmDelete.tsx"
import { Drawer } from "./components/Drawer.tsx"
import { DropTarget } from "./components/DropTarget.tsx"
import { EditDialog } from "./components/EditDialog.tsx"
import { ExportDialog } from "./components/ExportDialog.tsx"
import { ImportDialog } from "./components/ImportDialog.tsx"
import { OrganizeDialog } from "./components/OrganizeDialog.tsx"
import { Palette } from "./components/Palette.tsx"
import { PickDialog } from "./components/PickDialog.tsx"
import { RecategorizeDialog } from "./components/RecategorizeDialog.tsx"
import { Shortcuts } from "./components/Shortcuts.tsx"
import { dialog } from "./state/dialogs.ts"
import { linkOf } from "./state/entities.ts"

export { AddPage } from "./components/AddPage.tsx"
export { DuplicatesPage } from "./components/DuplicatesPage.tsx"
export { FirstRun } from "./components/FirstRun.tsx"
export { JobPage } from "./components/JobPage.tsx"
export { JobsPanel } from "./components/JobsPanel.tsx"
export { accept, completionAt } from "./suggest.ts"

/** The dialogs that change links. */
const LinkDialogs = () => {
  const now = dialog.value
  switch (now?.kind) {
    case "edit": {
      const link = linkOf(now.id)
      return link === undefined ? null : <EditDialog key={now.id} link={link} />
    }
    case "delete":
      return <ConfirmDelete ids={now.ids} />
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
    <Palette />
    <Shortcuts />
    <DropTarget />
  </>
)
