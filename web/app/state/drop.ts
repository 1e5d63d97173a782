import { signal } from "@preact/signals"
import { dialog, open } from "./dialogs.ts"
import { tell } from "./toasts.ts"

/** Marks drags from the app's own pages, so that they are not treated as something to save. */
export const OWN_DRAG = "application/x-linkbower"

/** What can be dropped on the page: a file, a link, or text that may contain an address. */
export type Dropped = "file" | "link" | "text"

/**
 * The kind of a dragged object, from the types its `DataTransfer` lists (HTML, 6.11.3); undefined if it cannot be dropped
 * here. A picture dragged from a page is also listed as a file, but always with its markup.
 */
export const kindOf = (types: ReadonlyArray<string>): Dropped | undefined => {
  if (types.includes(OWN_DRAG)) return undefined
  if (types.includes("Files") && !types.includes("text/html")) return "file"
  if (types.includes("text/uri-list")) return "link"
  return types.includes("text/plain") ? "text" : undefined
}

/** The first web address in dropped text or in a list of addresses (RFC 2483, 5), or an empty text. */
export const addressIn = (text: string): string =>
  /^\s*https?:\/\/\S+/im.exec(text.replace(/^#.*$/gm, ""))?.[0].trim() ?? ""

/** What is being dragged over the page and would be accepted; not shown for text, which may contain no address. */
export const dragged = signal<"file" | "link" | null>(null)

const editable = "input:not([type=checkbox], [type=radio], [type=file]), textarea"

/** Text dropped into a text field belongs to the field, as does a file dropped into a file field. */
const isForField = (event: DragEvent, kind: Dropped) =>
  event.target instanceof Element && event.target.closest(kind === "file" ? "[type=file]" : editable) !== null

/** An open dialog is not replaced. */
const isFree = (kind: Dropped) => dialog.value === null || (kind === "file" && dialog.value.kind === "import")

const takeFiles = (files: FileList) => {
  const [file] = files
  if (file === undefined) return
  if (files.length > 1) tell(`Only one file at a time: importing “${file.name}”.`)
  open({ kind: "import", file })
}

const takeText = (text: string) => {
  const url = addressIn(text)
  if (url !== "") open({ kind: "add", url })
}

/** Offers to save an address that was pasted outside a field. */
export const takePasted = (target: EventTarget | null, text: string): void => {
  const isForOther =
    target instanceof Element && target.closest(`${editable}, [contenteditable], dialog`) !== null
  if (isFree("text") && !isForOther) takeText(text)
}

const showKind = (kind: Dropped | undefined) => {
  dragged.value = kind !== undefined && kind !== "text" && isFree(kind) ? kind : null
}

/** Shows what came into the page, which may have been before this code. */
export const showDragged = (types: ReadonlyArray<string>): void => showKind(kindOf(types))

/** Accepts files and addresses dropped anywhere on the page; otherwise the browser would navigate to them. */
export const startDrops = (): void => {
  let entered: EventTarget | null = null
  const handle = (type: "dragenter" | "dragover" | "drop", take: (kind: Dropped, event: DragEvent) => void) =>
    window.addEventListener(type, (event) => {
      const kind = kindOf(event.dataTransfer?.types ?? [])
      if (type === "dragenter") entered = event.target
      if (kind !== undefined && !isForField(event, kind)) {
        event.preventDefault()
        take(kind, event)
      } else dragged.value = null
    })

  window.addEventListener("dragstart", ({ dataTransfer }) => dataTransfer?.setData(OWN_DRAG, ""))
  // `dragenter` of the new element comes before `dragleave` of the old one: only the last `dragleave` leaves the page.
  window.addEventListener("dragleave", ({ target }) => {
    if (target === entered) dragged.value = null
  })
  handle("dragenter", showKind)
  handle("dragover", (kind, { dataTransfer }) => {
    if (dataTransfer !== null) dataTransfer.dropEffect = isFree(kind) ? "copy" : "none"
  })
  handle("drop", (kind, { dataTransfer }) => {
    dragged.value = null
    if (dataTransfer === null || !isFree(kind)) return
    if (kind === "file") takeFiles(dataTransfer.files)
    else takeText(`${dataTransfer.getData("text/uri-list")}\n${dataTransfer.getData("text/plain")}`)
  })
}
