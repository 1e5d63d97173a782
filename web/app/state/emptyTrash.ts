import { open } from "./dialogs.ts"
import { selectMatching } from "./matching.ts"
import { selectedIds } from "./selection.ts"

/** Asks whether to delete every link in the trash. */
export const emptyTrash = async (): Promise<void> => {
  await selectMatching()
  const ids = selectedIds.peek()
  if (ids.length > 0) open({ kind: "deleteForever", ids })
}
