import { useState } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import type { Meta } from "../api.ts"
import { close } from "../state/dialogs.ts"
import { meta } from "../state/meta.ts"
import { show } from "../state/route.ts"
import { type LabelKind, labelText, labelWords, mergeLabels, renameLabel } from "../state/things.ts"
import { TextField } from "./Fields.tsx"
import { FormDialog } from "./FormDialog.tsx"

/** Names that the field offers. */
const SHOWN = 200

type Label = Meta["tags"][number]

interface Editing {
  readonly kind: LabelKind
  readonly label: Label
  readonly all: ReadonlyArray<Label>
  readonly onClose: () => void
  readonly onDone: (name: string) => void
}

/** Asks for a label's new name; a name that is in use merges the two. */
export const RenameDialog = ({ all, kind, label, onClose, onDone }: Editing) => {
  const [name, setName] = useState(label.name)

  const wanted = name.trim().toLowerCase()
  const other = all.find((one) => one.name === wanted && one.name !== label.name)
  const rename = async () => {
    const isDone =
      other === undefined
        ? await renameLabel(kind, label.name, name.trim())
        : await mergeLabels(kind, [label.name], other.name)
    if (isDone) onDone(other?.name ?? wanted)
    return isDone
  }
  return (
    <FormDialog
      title={`Rename ${labelText(kind, label.name)}`}
      confirm={other === undefined ? "Rename" : "Merge"}
      isReady={wanted !== "" && wanted !== label.name}
      onSubmit={rename}
      onClose={onClose}
    >
      <TextField
        label="New name"
        maxLength={100}
        names={all.slice(0, SHOWN).map((one) => one.name)}
        value={name}
        onValue={setName}
      />
      <p class="hint">
        {other === undefined
          ? `${count(label.count, "link")} will have the new name. Later links that would get the old name get the new one.`
          : `${labelText(kind, other.name)} exists with ${count(other.count, "link")}: this merges the two.`}
      </p>
    </FormDialog>
  )
}

/** The dialog that renames the label of the shown view. */
export const RenameLabel = ({ kind, name }: { readonly kind: LabelKind; readonly name: string }) => {
  const all = meta.value?.[labelWords[kind].many] ?? []
  const label = all.find((one) => one.name === name)
  return label === undefined ? null : (
    <RenameDialog
      kind={kind}
      label={label}
      all={all}
      onClose={close}
      onDone={(to) => show({ q: "", [kind]: to })}
    />
  )
}
