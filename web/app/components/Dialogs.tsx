import { useEffect } from "preact/hooks"
import { dialog } from "../state/dialogs.ts"
import { later } from "../state/lazy.ts"

/** The dialogs, and the page of an empty library, which has their forms. */
export const dialogParts = later(() => import("../dialogs.tsx"))

/** The open dialog; the first one loads them all. */
export const Dialogs = () => {
  const isOpen = dialog.value !== null
  const parts = dialogParts.parts.value
  useEffect(() => void (isOpen && dialogParts.load()), [isOpen])
  return parts === null ? null : <parts.OpenDialog />
}

/** The page of an empty library. */
export const FirstRun = () => {
  const parts = dialogParts.parts.value
  useEffect(() => void dialogParts.load(), [])
  return parts === null ? null : <parts.FirstRun />
}
