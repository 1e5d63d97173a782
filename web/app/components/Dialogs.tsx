import { close, dialog, question } from "../state/dialogs.ts"
import { dragged } from "../state/drop.ts"
import { laterStill } from "../state/lazy.ts"
import { AddDialog } from "./AddDialog.tsx"
import { Dialog } from "./Dialog.tsx"
import { FormDialog } from "./FormDialog.tsx"
import { Icon } from "./Icon.tsx"
import { lately } from "./Lazily.tsx"
import { Palette } from "./Palette.tsx"
import { PickDialog } from "./PickDialog.tsx"
import { Footer, Navigation } from "./Sidebar.tsx"
import { TagsDialog } from "./TagsDialog.tsx"

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
      <p class="row">
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
    <FormDialog
      title={now.title}
      cancel={now.cancel}
      confirm={now.confirm}
      isDangerous
      focus="cancel"
      onSubmit={() => {
        closeQuestion()
        now.run()
        return false
      }}
      onClose={closeQuestion}
    >
      <p>{now.text}</p>
    </FormDialog>
  )
}

/** The dialogs that are seldom needed, and the page of an empty library. */
const seldom = laterStill(() => import("../dialogs.tsx"))
const OtherDialog = lately(seldom, (parts) => parts.OpenDialog)
export const FirstRun = lately(seldom, (parts) => parts.FirstRun)

const details = laterStill(() => import("./DetailPane.tsx"))
export const DetailPane = lately(details, (parts) => parts.DetailPane)

/** Loads the details before a card opens them. */
export const startDetails = (): void => {
  for (const type of ["focusin", "pointerdown"])
    window.addEventListener(type, ({ target }) => {
      if (target instanceof Element && target.closest(".links .card") !== null) void details.load()
    })
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
      return <OtherDialog />
  }
}
