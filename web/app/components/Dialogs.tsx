import { useEffect } from "preact/hooks"
import { close, dialog, question } from "../state/dialogs.ts"
import { dragged } from "../state/drop.ts"
import { later } from "../state/lazy.ts"
import { AddDialog } from "./AddDialog.tsx"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { Icon } from "./Icon.tsx"
import { Palette } from "./Palette.tsx"
import { PickDialog } from "./PickDialog.tsx"
import { Footer, Navigation } from "./Sidebar.tsx"
import { TagsDialog } from "./TagsDialog.tsx"

/** The sidebar on small screens. */
export const Drawer = () =>
  dialog.value?.kind === "sidebar" ? (
    <Dialog title="Library" onClose={close} class="drawer">
      <div class="sidebar" tabIndex={-1} data-autofocus>
        <Navigation />
        <Footer />
      </div>
    </Dialog>
  ) : null

const show = (element: HTMLElement | null) => element?.showPopover()

const texts = { file: "Drop the file to import it", link: "Drop the link to save it" } as const

/** Says what dropping the dragged file or link would do; shown above everything, without receiving events. */
export const DropTarget = () => {
  const kind = dragged.value
  return kind === null ? null : (
    <div ref={show} class="drop-target" popover="manual" aria-hidden="true">
      <p>
        <Icon name={kind === "file" ? "upload" : "link"} />
        {texts[kind]}
      </p>
    </div>
  )
}

const closeQuestion = () => {
  question.value = null
}

/** The open question; Escape and Enter answer it with no. */
export const QuestionDialog = () => {
  const now = question.value
  if (now === null) return null
  return (
    <Dialog title={now.title} onClose={closeQuestion}>
      <p>{now.text}</p>
      <div class="row end">
        <Button data-autofocus onClick={closeQuestion}>
          {now.cancel ?? "Cancel"}
        </Button>
        <Button
          kind="danger"
          onClick={() => {
            closeQuestion()
            now.run()
          }}
        >
          {now.confirm}
        </Button>
      </div>
    </Dialog>
  )
}

/** The dialogs that are seldom needed, and the page of an empty library. */
export const dialogParts = later(() => import("../dialogs.tsx"))

/** One of the other dialogs, which load with the first of them. */
const Later = () => {
  const parts = dialogParts.parts.value
  useEffect(() => void dialogParts.load(), [])
  return parts === null ? null : <parts.OpenDialog />
}

/** The open dialog. Those that one opens with a key and goes on typing are there at once. */
export const Dialogs = () => {
  const now = dialog.value
  switch (now?.kind) {
    case undefined:
    case "menu":
    case "sidebar":
      return null
    case "add":
      return <AddDialog url={now.url ?? ""} />
    case "category":
    case "collection":
      return <PickDialog key={now.kind} kind={now.kind} ids={now.ids} />
    case "palette":
      return <Palette />
    case "tags":
      return <TagsDialog ids={now.ids} />
    default:
      return <Later />
  }
}

/** The page of an empty library. */
export const FirstRun = () => {
  const parts = dialogParts.parts.value
  useEffect(() => void dialogParts.load(), [])
  return parts === null ? null : <parts.FirstRun />
}
