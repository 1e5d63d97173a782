import { useState } from "preact/hooks"
import { isWithin, ownName } from "../../../src/shared/CollectionPath.ts"
import { MAX_COLLECTION_NAME } from "../../../src/shared/Limits.ts"
import type { Collection } from "../api.ts"
import { close } from "../state/dialogs.ts"
import { meta } from "../state/meta.ts"
import { changeCollection, createCollection } from "../state/things.ts"
import { inTreeOrder } from "../tree.ts"
import { CheckBox, SelectField, TextField } from "./Fields.tsx"
import { FormDialog } from "./FormDialog.tsx"

/** The colours a collection can have; the service accepts any `#rrggbb` too. */
const COLORS = ["red", "orange", "yellow", "green", "teal", "blue", "purple", "pink", "gray"] as const

const MAX_DESCRIPTION = 2_000

/** What is edited: an existing collection, or a new one in `parent`. */
export type Edited =
  | { readonly kind: "existing"; readonly collection: Collection }
  | { readonly kind: "new"; readonly parent: number | null }

export interface EditProps {
  readonly edited: Edited
  readonly all: ReadonlyArray<Collection>
  readonly onClose: () => void
}

/** Edits a collection's name, place, description, colour, icon, and whether it is shared. */
export const CollectionDialog = ({ all, edited, onClose }: EditProps) => {
  const before = edited.kind === "existing" ? edited.collection : undefined
  const [name, setName] = useState(before === undefined ? "" : ownName(before.name))
  const [parent, setParent] = useState(
    before === undefined && edited.kind === "new" ? edited.parent : (before?.parent ?? null)
  )
  const [description, setDescription] = useState(before?.description ?? "")
  const [color, setColor] = useState<string | null>(before?.color ?? null)
  const [icon, setIcon] = useState(before?.icon ?? "")
  const [shareable, setShareable] = useState(before?.shareable ?? false)
  const title = before === undefined ? "New collection" : "Edit collection"
  const places = all.filter(
    (one) => before === undefined || (one.id !== before.id && !isWithin(one.name, before.name))
  )
  const save = async () => {
    const attributes = {
      description: description.trim(),
      color,
      icon: icon.trim() === "" ? null : icon.trim()
    }
    if (before === undefined) return createCollection({ name: name.trim(), parent, ...attributes })
    return changeCollection(before, {
      ...attributes,
      ...(name.trim() === ownName(before.name) ? {} : { name: name.trim() }),
      ...(parent === before.parent ? {} : { parent }),
      ...(shareable === before.shareable ? {} : { shareable })
    })
  }
  return (
    <FormDialog
      title={title}
      confirm={before === undefined ? "Create" : "Save"}
      isReady={name.trim() !== ""}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField label="Name" maxLength={MAX_COLLECTION_NAME} value={name} onValue={setName} />
      <SelectField
        label="Inside"
        value={parent}
        choices={[[null, "No other collection"], ...places.map(({ id, name }) => [id, name] as const)]}
        onChoose={setParent}
      />
      <TextField
        label="Description"
        rows={2}
        maxLength={MAX_DESCRIPTION}
        value={description}
        onValue={setDescription}
      />
      <fieldset class="row">
        <legend>Color</legend>
        {[null, ...COLORS].map((one) => (
          <input
            key={one}
            type="radio"
            name="color"
            class="swatch"
            title={one ?? "none"}
            aria-label={one ?? "none"}
            data-color={one ?? undefined}
            checked={color === one}
            onChange={() => setColor(one)}
          />
        ))}
      </fieldset>
      <TextField
        label="Icon"
        class="input collection-icon-field"
        placeholder="📚"
        maxLength={16}
        value={icon}
        onValue={setIcon}
        about="One emoji, or leave it empty."
      />
      {before === undefined ? null : (
        <CheckBox
          checked={shareable}
          onChange={setShareable}
          about="Everyone can then see all links in it and in the collections inside, those you add later too, on the public list and in a feed."
        >
          Share the whole collection
        </CheckBox>
      )}
    </FormDialog>
  )
}

/** The dialog that edits the collection of the shown view. */
export const EditCollection = ({ id }: { readonly id: number }) => {
  const all = inTreeOrder(meta.value?.collections ?? []).map(({ one }) => one)
  const collection = all.find((one) => one.id === id)
  return collection === undefined ? null : (
    <CollectionDialog edited={{ kind: "existing", collection }} all={all} onClose={close} />
  )
}
