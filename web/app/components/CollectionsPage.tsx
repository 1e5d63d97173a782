import { useCallback, useEffect, useMemo, useState } from "preact/hooks"
import { isWithin, ownName } from "../../../src/shared/CollectionPath.ts"
import { count } from "../../../src/shared/Format.ts"
import { MAX_COLLECTION_NAME } from "../../../src/shared/Limits.ts"
import type { Collection, CollectionsAnswer } from "../api.ts"
import { meta } from "../state/meta.ts"
import { hrefOf } from "../state/route.ts"
import { changeCollection, createCollection, loadCollections, removeCollection } from "../state/things.ts"
import { reasonOf } from "../state/toasts.ts"
import { inTreeOrder, type TreeEntry } from "../tree.ts"
import { CollectionMark } from "./CollectionMark.tsx"
import { FormDialog, TextField } from "./FormDialog.tsx"
import { Icon } from "./Icon.tsx"
import { IconAction, type Notice, ThingsPage } from "./ThingsPage.tsx"

/** The colours a collection can have; the service accepts any `#rrggbb` too. */
const COLORS = ["red", "orange", "yellow", "green", "teal", "blue", "purple", "pink", "gray"] as const

const MAX_DESCRIPTION = 2_000

/** What is edited: an existing collection, or a new one in `parent`. */
type Edited =
  | { readonly kind: "existing"; readonly collection: Collection }
  | { readonly kind: "new"; readonly parent: number | null }

interface EditProps {
  readonly edited: Edited
  readonly all: ReadonlyArray<Collection>
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Edits a collection's name, place, description, colour, icon, and whether it is shared. */
const CollectionDialog = ({ all, edited, onClose, onDone }: EditProps) => {
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
    const isDone =
      before === undefined
        ? await createCollection({ name: name.trim(), parent, ...attributes })
        : await changeCollection(before, {
            ...attributes,
            ...(name.trim() === ownName(before.name) ? {} : { name: name.trim() }),
            ...(parent === before.parent ? {} : { parent }),
            ...(shareable === before.shareable ? {} : { shareable })
          })
    if (isDone) onDone()
    return isDone
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
      <div class="field">
        <label for="collection-parent">Inside</label>
        <select
          id="collection-parent"
          class="input"
          value={parent ?? ""}
          onChange={(event) =>
            setParent(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))
          }
        >
          <option value="">No other collection</option>
          {places.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="collection-description">Description</label>
        <textarea
          id="collection-description"
          class="input"
          dir="auto"
          maxLength={MAX_DESCRIPTION}
          value={description}
          onInput={(event) => setDescription(event.currentTarget.value)}
        />
      </div>
      <fieldset class="collection-look">
        <legend>Color</legend>
        <label>
          <input type="radio" name="color" checked={color === null} onChange={() => setColor(null)} />
          <span>None</span>
        </label>
        {COLORS.map((one) => (
          <label key={one} title={one}>
            <input type="radio" name="color" checked={color === one} onChange={() => setColor(one)} />
            <span class="collection-color" data-color={one}>
              <span class="visually-hidden">{one}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div class="field">
        <label for="collection-icon">Icon</label>
        <input
          id="collection-icon"
          class="input collection-icon-field"
          autoComplete="off"
          placeholder="📚"
          maxLength={16}
          value={icon}
          onInput={(event) => setIcon(event.currentTarget.value)}
        />
        <p class="hint">One emoji, or leave it empty.</p>
      </div>
      {before === undefined ? null : (
        <div class="field">
          <label class="collection-share">
            <input
              type="checkbox"
              checked={shareable}
              onChange={(event) => setShareable(event.currentTarget.checked)}
            />
            Share the whole collection
          </label>
          <p class="hint">
            Everyone can then see all links in it and in the collections inside, those you add later too, on
            the public list and in a feed.
          </p>
        </div>
      )}
    </FormDialog>
  )
}

/** Asks which collection another one is merged into. */
const MergeDialog = ({
  all,
  collection,
  onClose,
  onDone
}: Omit<EditProps, "edited"> & { readonly collection: Collection }) => {
  const targets = all.filter((one) => one.id !== collection.id && !isWithin(one.name, collection.name))
  const [into, setInto] = useState(targets[0]?.id)
  const target = targets.find(({ id }) => id === into)
  const merge = async () => {
    if (target === undefined) return false
    const isDone = await changeCollection(
      collection,
      { into: target.id },
      `Merged “${collection.name}” into “${target.name}”`
    )
    if (isDone) onDone()
    return isDone
  }
  return (
    <FormDialog
      title={`Merge “${collection.name}”`}
      confirm="Merge"
      isReady={target !== undefined}
      onSubmit={merge}
      onClose={onClose}
    >
      <div class="field">
        <label for="collection-into">Into</label>
        <select
          id="collection-into"
          class="input"
          value={into}
          onChange={(event) => setInto(Number(event.currentTarget.value))}
        >
          {targets.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      </div>
      <p class="hint">
        {count(collection.count, "link")} and all collections inside move there. Links that are filed under
        the old name later go there too.
      </p>
    </FormDialog>
  )
}

interface RowProps {
  readonly entry: TreeEntry<Collection>
  readonly onEdit: () => void
  readonly onAddInside: () => void
  readonly onMerge: () => void
  readonly onRemove: () => void
  readonly onMove: (order: number) => void
}

const Row = ({
  entry: { depth, isFirst, isLast, one, place },
  onAddInside,
  onEdit,
  onMerge,
  onMove,
  onRemove
}: RowProps) => {
  const name = ownName(one.name)
  return (
    <li class="thing" data-collection={one.id} style={{ "--depth": depth }}>
      <a class="thing-name" href={hrefOf({ q: "", collection: one.id })} dir="auto">
        <CollectionMark color={one.color} icon={one.icon} />
        {name}
      </a>
      <span class="thing-facts hint">
        {count(one.count, "link")}
        {one.shareable ? ", shared" : one.shared ? ", shared with the collection around it" : ""}
        {one.description === "" ? null : (
          <span class="thing-description" dir="auto">
            {one.description}
          </span>
        )}
      </span>
      <span class="thing-actions">
        <IconAction
          icon="up"
          title="Move up"
          label={`Move ${name} up`}
          disabled={isFirst}
          onClick={() => onMove(place - 1)}
        />
        <IconAction
          icon="down"
          title="Move down"
          label={`Move ${name} down`}
          disabled={isLast}
          onClick={() => onMove(place + 1)}
        />
        <IconAction
          icon="plus"
          title="New collection inside"
          label={`New collection inside ${name}`}
          onClick={onAddInside}
        />
        <IconAction icon="edit" title="Edit" label={`Edit ${name}`} onClick={onEdit} />
        <IconAction
          icon="copies"
          title="Merge into another collection"
          label={`Merge ${name} into another collection`}
          onClick={onMerge}
        />
        <IconAction icon="trash" title="Delete" label={`Delete ${name}; its links stay`} onClick={onRemove} />
      </span>
    </li>
  )
}

/** The page of all collections, as a tree in the owner's order. */
export const CollectionsPage = () => {
  const [answer, setAnswer] = useState<CollectionsAnswer | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [edited, setEdited] = useState<Edited | null>(null)
  const [merging, setMerging] = useState<Collection | null>(null)
  const load = useCallback(async () => {
    try {
      setAnswer(await loadCollections())
      setFailure(null)
    } catch (error) {
      setFailure(reasonOf(error))
    }
  }, [])
  // The counts change with every change of the library, an undo included.
  useEffect(() => void load(), [load, meta.value])
  const all = answer?.collections ?? []
  const tree = useMemo(() => inTreeOrder(all), [answer])
  const inOrder = tree.map(({ one }) => one)
  const notice: Notice | null =
    failure !== null
      ? { text: failure, retry: () => void load() }
      : answer !== null && all.length === 0
        ? { text: "There is no collection yet. Create one, or file a link under a new name." }
        : null
  return (
    <>
      <ThingsPage
        title="Collections"
        busy={answer === null && failure === null}
        notice={notice}
        actions={
          <button
            type="button"
            class="button"
            data-kind="primary"
            onClick={() => setEdited({ kind: "new", parent: null })}
          >
            <Icon name="plus" /> New collection
          </button>
        }
      >
        <ul class="things">
          {tree.map((entry) => (
            <Row
              key={entry.one.id}
              entry={entry}
              onEdit={() => setEdited({ kind: "existing", collection: entry.one })}
              onAddInside={() => setEdited({ kind: "new", parent: entry.one.id })}
              onMerge={() => setMerging(entry.one)}
              onRemove={() => void removeCollection(entry.one).then(load)}
              onMove={(order) =>
                void changeCollection(entry.one, { order }, `Moved “${entry.one.name}”`).then(load)
              }
            />
          ))}
        </ul>
      </ThingsPage>
      {edited === null ? null : (
        <CollectionDialog
          edited={edited}
          all={inOrder}
          onClose={() => setEdited(null)}
          onDone={() => void load()}
        />
      )}
      {merging === null ? null : (
        <MergeDialog
          all={inOrder}
          collection={merging}
          onClose={() => setMerging(null)}
          onDone={() => void load()}
        />
      )}
    </>
  )
}
