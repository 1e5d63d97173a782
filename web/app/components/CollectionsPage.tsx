import { useMemo, useState } from "preact/hooks"
import { isWithin, ownName } from "../../../src/shared/CollectionPath.ts"
import { count } from "../../../src/shared/Format.ts"
import type { Collection } from "../api.ts"
import { meta, refreshMeta } from "../state/meta.ts"
import { hrefOf } from "../state/route.ts"
import { changeCollection, moveCollection, removeCollection } from "../state/things.ts"
import { inTreeOrder, type TreeEntry, totalsIn } from "../tree.ts"
import type { Destination } from "../treeMoves.ts"
import { Button } from "./Button.tsx"
import { CollectionDialog, type Edited, type EditProps } from "./CollectionDialog.tsx"
import { CollectionMark } from "./CollectionMark.tsx"
import { SelectField } from "./Fields.tsx"
import { FormDialog } from "./FormDialog.tsx"
import { Icon } from "./Icon.tsx"
import { ThingMenu, ThingsPage } from "./ThingsPage.tsx"

/** Asks which collection another one is merged into. */
const MergeDialog = ({
  all,
  collection,
  onClose
}: Omit<EditProps, "edited"> & { readonly collection: Collection }) => {
  const targets = all.filter((one) => one.id !== collection.id && !isWithin(one.name, collection.name))
  const [into, setInto] = useState(targets[0]?.id ?? null)
  const target = targets.find(({ id }) => id === into)
  const merge = async () =>
    target !== undefined &&
    changeCollection(collection, { into: target.id }, `Merged “${collection.name}” into “${target.name}”`)
  return (
    <FormDialog
      title={`Merge “${collection.name}”`}
      confirm="Merge"
      isReady={target !== undefined}
      onSubmit={merge}
      onClose={onClose}
    >
      <SelectField
        label="Into"
        value={into}
        choices={targets.map(({ id, name }) => [id, name])}
        onChoose={setInto}
      />
      <p class="hint">
        {count(collection.count, "link")} and all collections inside move there. Links that are filed under
        the old name later go there too.
      </p>
    </FormDialog>
  )
}

/** The collections on the public list, by number: each comes after the one around it. */
const sharedIn = (entries: ReadonlyArray<TreeEntry<Collection>>): ReadonlySet<number> => {
  const shared = new Set<number>()
  for (const { one } of entries)
    if (one.shareable || (one.parent !== null && shared.has(one.parent))) shared.add(one.id)
  return shared
}

interface RowProps {
  readonly entry: TreeEntry<Collection>
  /** The number of links in it and in the collections inside. */
  readonly total: number
  /** Whether it is on the public list, by itself or with a collection around it. */
  readonly isShared: boolean
  readonly onEdit: () => void
  readonly onAddInside: () => void
  readonly onMerge: () => void
  readonly onRemove: () => void
  readonly onMove: (to: Destination) => void
}

const Row = ({
  entry: { depth, isFirst, isLast, one },
  onAddInside,
  onEdit,
  onMerge,
  onMove,
  onRemove,
  isShared,
  total
}: RowProps) => {
  const name = ownName(one.name)
  return (
    <li class="thing" data-collection={one.id} style={{ "--depth": depth }}>
      <a class="thing-name plain" href={hrefOf({ q: "", collection: one.id })} dir="auto">
        <CollectionMark color={one.color} icon={one.icon} />
        {name}
        {isShared ? <Icon name="share" /> : null}
      </a>
      <span class="thing-facts hint">
        {count(total, "link")}
        {one.shareable ? ", shared" : isShared ? ", shared with the collection around it" : ""}
        {one.description === "" ? null : (
          <span class="thing-description" dir="auto">
            {one.description}
          </span>
        )}
      </span>
      <ThingMenu
        of={name}
        actions={[
          { icon: "edit", name: "Edit…", run: onEdit },
          { icon: "plus", name: "New collection inside…", run: onAddInside },
          { icon: "up", name: "Move up", disabled: isFirst, run: () => onMove("up") },
          { icon: "down", name: "Move down", disabled: isLast, run: () => onMove("down") },
          { icon: "chevron", name: "Move out", disabled: depth === 0, run: () => onMove("out") },
          { icon: "copies", name: "Merge into another…", run: onMerge },
          { icon: "trash", isDangerous: true, name: "Delete; its links stay", run: onRemove }
        ]}
      />
    </li>
  )
}

/** The page of all collections, as a tree in the owner's order. */
export const CollectionsPage = () => {
  const [edited, setEdited] = useState<Edited | null>(null)
  const [merging, setMerging] = useState<Collection | null>(null)

  const all = meta.value?.collections ?? []
  const tree = useMemo(() => inTreeOrder(all), [all])
  const totals = useMemo(() => totalsIn(tree), [tree])
  const shared = useMemo(() => sharedIn(tree), [tree])
  const inOrder = tree.map(({ one }) => one)

  return (
    <>
      <ThingsPage
        page="collections"
        count={meta.value === null ? "" : all.length.toLocaleString("en")}
        loaded={{ value: meta.value ?? undefined, problem: "", reload: async () => refreshMeta() }}
        isEmpty={all.length === 0}
        none="There is no collection yet. Create one, or file a link under a new name."
        actions={
          <Button icon="plus" kind="primary" onClick={() => setEdited({ kind: "new", parent: null })}>
            {" "}
            New collection
          </Button>
        }
      >
        <ul class="things">
          {tree.map((entry) => (
            <Row
              key={entry.one.id}
              entry={entry}
              isShared={shared.has(entry.one.id)}
              total={totals.get(entry.one.id) ?? entry.one.count}
              onEdit={() => setEdited({ kind: "existing", collection: entry.one })}
              onAddInside={() => setEdited({ kind: "new", parent: entry.one.id })}
              onMerge={() => setMerging(entry.one)}
              onRemove={() => void removeCollection(entry.one)}
              onMove={(to) => void moveCollection(entry.one.id, to)}
            />
          ))}
        </ul>
      </ThingsPage>
      {edited === null ? null : (
        <CollectionDialog edited={edited} all={inOrder} onClose={() => setEdited(null)} />
      )}
      {merging === null ? null : (
        <MergeDialog all={inOrder} collection={merging} onClose={() => setMerging(null)} />
      )}
    </>
  )
}
