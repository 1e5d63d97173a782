import { EditCollection } from "./components/CollectionDialog.tsx"
import { DeleteForever } from "./components/DeleteForever.tsx"
import { ExportDialog } from "./components/ExportDialog.tsx"
import { HistoryDialog } from "./components/HistoryDialog.tsx"
import { ImportDialog } from "./components/ImportDialog.tsx"
import { MoreMenu } from "./components/MoreMenu.tsx"
import { OrganizeDialog } from "./components/OrganizeDialog.tsx"
import { RecategorizeDialog } from "./components/RecategorizeDialog.tsx"
import { RenameLabel } from "./components/RenameLabel.tsx"
import { SaveSearchDialog } from "./components/SearchesPage.tsx"
import { ShareDialog } from "./components/ShareDialog.tsx"
import { SharePageDialog } from "./components/SharePageDialog.tsx"
import { Shortcuts } from "./components/Shortcuts.tsx"
import { dialog } from "./state/dialogs.ts"

export { FirstRun } from "./components/FirstRun.tsx"

/** The open dialog, if it is one of those that are seldom needed. */
export const OpenDialog = () => {
  const now = dialog.value
  switch (now?.kind) {
    case "deleteForever":
      return <DeleteForever ids={now.ids} />
    case "editCollection":
      return <EditCollection id={now.id} />
    case "export":
      return <ExportDialog />
    case "history":
      return <HistoryDialog />
    case "import":
      return <ImportDialog />
    case "more":
      return <MoreMenu />
    case "organize":
      return <OrganizeDialog />
    case "recategorize":
      return <RecategorizeDialog />
    case "renameLabel":
      return <RenameLabel kind={now.label} name={now.name} />
    case "search":
      return <SaveSearchDialog />
    case "share":
      return <ShareDialog ids={now.ids} />
    case "sharePage":
      return <SharePageDialog key={now.id} id={now.id} />
    case "shortcuts":
      return <Shortcuts />
    default:
      return null
  }
}
