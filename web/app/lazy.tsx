import { AddDialog } from "./components/AddDialog.tsx"
import { BulkBar } from "./components/BulkBar.tsx"
import { CardMenu } from "./components/CardMenu.tsx"
import { Dialogs } from "./components/Dialogs.tsx"
import { Drawer } from "./components/Drawer.tsx"
import { DropTarget } from "./components/DropTarget.tsx"
import { ExportDialog } from "./components/ExportDialog.tsx"
import { ImportDialog } from "./components/ImportDialog.tsx"
import { OrganizeDialog } from "./components/OrganizeDialog.tsx"
import { Palette } from "./components/Palette.tsx"
import { RecategorizeDialog } from "./components/RecategorizeDialog.tsx"
import { Shortcuts } from "./components/Shortcuts.tsx"

export { AddPage } from "./components/AddPage.tsx"
export { DuplicatesPage } from "./components/DuplicatesPage.tsx"
export { FirstRun } from "./components/FirstRun.tsx"
export { JobPage } from "./components/JobPage.tsx"
export { JobsPanel } from "./components/JobsPanel.tsx"

/** The dialogs. */
export const Overlays = () => (
  <>
    <BulkBar />
    <Drawer />
    <CardMenu />
    <Dialogs />
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
