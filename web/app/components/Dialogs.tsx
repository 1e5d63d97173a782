import { dialog } from "../state/dialogs.ts"
import { linkOf } from "../state/entities.ts"
import { ConfirmDelete } from "./ConfirmDelete.tsx"
import { EditDialog } from "./EditDialog.tsx"
import { PickDialog } from "./PickDialog.tsx"

/** The dialogs that change links. */
export const Dialogs = () => {
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
