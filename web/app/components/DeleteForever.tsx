import { useState } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { deleteForever } from "../state/changes.ts"
import { close } from "../state/dialogs.ts"
import { peekLink } from "../state/entities.ts"
import { TextField } from "./Fields.tsx"
import { FormDialog } from "./FormDialog.tsx"

/** Maximum number of links listed by title. */
const MAX_TITLES = 5
/** Above this number of links, the user must type the number to confirm. */
const MAX_WITHOUT_TYPING = 20

const Titles = ({ ids }: { readonly ids: ReadonlyArray<number> }) => {
  const titles = ids.slice(0, MAX_TITLES).flatMap((id) => peekLink(id)?.title ?? [])
  const more = ids.length - titles.length
  return (
    <ul class="titles">
      {titles.map((title, at) => (
        <li key={ids[at]} dir="auto">
          {title}
        </li>
      ))}
      {more > 0 && titles.length > 0 ? <li>and {more.toLocaleString("en")} more</li> : null}
    </ul>
  )
}

/** Asks for confirmation before links are deleted for good. */
export const DeleteForever = ({ ids }: { readonly ids: ReadonlyArray<number> }) => {
  const [typed, setTyped] = useState("")
  const what = ids.length === 1 ? "this link" : `these ${count(ids.length, "link")}`
  const ready = ids.length <= MAX_WITHOUT_TYPING || typed.replace(/[\s,.]/g, "") === String(ids.length)
  return (
    <FormDialog
      title={`Delete ${what} forever?`}
      confirm="Delete forever"
      doing="Deleting…"
      isDangerous
      needsService
      isReady={ready}
      focus="cancel"
      onSubmit={async () => {
        await deleteForever(ids)
        return true
      }}
      onClose={close}
    >
      <Titles ids={ids} />
      <p>
        This cannot be undone:{" "}
        {ids.length === 1
          ? "its note, summary and search entries are deleted too."
          : "their notes, summaries and search entries are deleted too."}
      </p>
      {ids.length > MAX_WITHOUT_TYPING ? (
        <TextField
          label={`Type ${ids.length} to delete them`}
          inputMode="numeric"
          maxLength={20}
          value={typed}
          onValue={setTyped}
        />
      ) : null}
    </FormDialog>
  )
}
