import { useMemo, useState } from "preact/hooks"
import { count, percent } from "../../../src/shared/Format.ts"
import { folded } from "../../../src/shared/Text.ts"
import type { Label, Twins } from "../api.ts"
import { meta } from "../state/meta.ts"
import { hrefOf } from "../state/route.ts"
import {
  type LabelKind,
  labelText,
  labelWords,
  loadLabels,
  mergeLabels,
  removeLabel
} from "../state/things.ts"
import { Button } from "./Button.tsx"
import { Select, Toggles } from "./Fields.tsx"
import { RenameDialog } from "./RenameLabel.tsx"
import { ThingMenu, ThingsPage } from "./ThingsPage.tsx"
import { Age } from "./Times.tsx"
import { useLoaded } from "./useLoaded.tsx"

/** Number of labels shown before the rest is asked for. */
const SHOWN = 200

type View = "all" | "once" | "twins"
type Order = "count" | "name" | "recent"

const orders: Record<Order, (a: Label, b: Label) => number> = {
  count: (a, b) => b.count - a.count || a.name.localeCompare(b.name),
  name: (a, b) => a.name.localeCompare(b.name),
  recent: (a, b) => (b.lastUsed ?? "").localeCompare(a.lastUsed ?? "") || a.name.localeCompare(b.name)
}

const hrefOfLabel = (kind: LabelKind, name: string) =>
  hrefOf(kind === "tag" ? { q: "", tag: name } : { q: "", category: name })

const Count = ({ of }: { readonly of: number }) => <span class="hint">{of.toLocaleString("en")}</span>

interface RowProps {
  readonly kind: LabelKind
  readonly label: Label
  readonly isSelected: boolean
  readonly onSelect: () => void
  readonly onRename: () => void
  readonly onRemove: () => void
}

const Row = ({ isSelected, kind, label, onRemove, onRename, onSelect }: RowProps) => (
  <li class="thing">
    <label class="thing-select">
      <input type="checkbox" checked={isSelected} onChange={onSelect} />
      <span class="visually-hidden">Select {labelText(kind, label.name)}</span>
    </label>
    <a class="thing-name plain" href={hrefOfLabel(kind, label.name)} dir="auto">
      {labelText(kind, label.name)}
    </a>
    <span class="thing-facts hint">
      {count(label.count, "link")}
      {label.lastUsed === null ? null : (
        <>
          {", "}last used <Age of={label.lastUsed} />
        </>
      )}
    </span>
    <ThingMenu
      of={labelText(kind, label.name)}
      actions={[
        { icon: "edit", name: "Rename…", run: onRename },
        { icon: "trash", isDangerous: true, name: "Delete; its links stay", run: onRemove }
      ]}
    />
  </li>
)

/** Names that probably mean the same, with a button that merges them. */
const TwinRow = ({
  kind,
  labels,
  onMerge,
  twins
}: {
  readonly kind: LabelKind
  readonly twins: Twins
  readonly labels: ReadonlyMap<string, Label>
  readonly onMerge: (names: ReadonlyArray<string>, into: string) => void
}) => {
  const [into, setInto] = useState(twins.names[0] ?? "")
  return (
    <li class="thing">
      <fieldset class="thing-twins row">
        <legend class="visually-hidden">Keep which name?</legend>
        {twins.names.map((name) => (
          <label key={name}>
            <input
              type="radio"
              name={`twins ${twins.names.join(" ")}`}
              checked={name === into}
              onChange={() => setInto(name)}
            />
            <span dir="auto">{labelText(kind, name)}</span>
            <Count of={labels.get(name)?.count ?? 0} />
          </label>
        ))}
      </fieldset>
      <span class="hint">
        {twins.reason === "spelling" ? "similar spelling" : `similar meaning, ${percent(twins.similarity)}%`}
      </span>
      <Button onClick={() => onMerge(twins.names, into)}>Merge into {labelText(kind, into)}</Button>
    </li>
  )
}

/** The page of all tags or categories: renames, merges and deletes them. */
const LabelsPage = ({ kind }: { readonly kind: LabelKind }) => {
  const { many, one } = labelWords[kind]
  // The counts change with every change of the library, an undo included.
  const loaded = useLoaded(() => loadLabels(kind), [kind, meta.value])
  const { reload: load, value: labels } = loaded

  const [view, setView] = useState<View>("all")
  const [order, setOrder] = useState<Order>("count")
  const [typed, setTyped] = useState("")
  const [whole, setWhole] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [renaming, setRenaming] = useState<Label | null>(null)

  const all = labels?.labels ?? []
  const byName = useMemo(() => new Map(all.map((label) => [label.name, label])), [labels])
  const once = all.filter((label) => label.count === 1)
  const shown = useMemo(() => {
    const wanted = folded(typed.trim().replace(/^#/, ""))
    return (view === "once" ? once : all)
      .filter(({ name }) => folded(name).includes(wanted))
      .toSorted(orders[order])
  }, [labels, view, order, typed])
  const picked = [...chosen]
    .filter((name) => byName.has(name))
    .sort((a, b) => (byName.get(b)?.count ?? 0) - (byName.get(a)?.count ?? 0))
  const [target] = picked
  const merge = async (names: ReadonlyArray<string>, into: string) => {
    await mergeLabels(kind, names, into)
    setChosen(new Set())
    await load()
  }
  const toggle = (name: string) => {
    const next = new Set(chosen)
    if (!next.delete(name)) next.add(name)
    setChosen(next)
  }

  return (
    <ThingsPage
      page={labelWords[kind].many}
      count={labels === undefined ? "" : all.length.toLocaleString("en")}
      loaded={loaded}
      isEmpty={all.length === 0}
      none={`No link has a ${one} yet.`}
    >
      <div class="row">
        <input
          class="input grow"
          type="search"
          aria-label={`Filter the ${many}`}
          placeholder={`Filter ${all.length.toLocaleString("en")} ${many}`}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <Select
          aria-label="Sort by"
          value={order}
          choices={[
            ["count", "Most used"],
            ["name", "By name"],
            ["recent", "Recently used"]
          ]}
          onChoose={setOrder}
        />
      </div>
      <Toggles
        label="Show"
        chosen={view}
        onChoose={setView}
        choices={[
          ["all", "All"],
          [
            "once",
            <>
              Used once <Count of={once.length} />
            </>
          ],
          [
            "twins",
            <>
              Alike <Count of={labels?.twins.length ?? 0} />
            </>
          ]
        ]}
      />
      {picked.length < 2 || target === undefined ? null : (
        <div class="things-merge row floating" role="status">
          <span>
            {picked.length} {many} selected
          </span>
          <Button kind="primary" onClick={() => void merge(picked, target)}>
            Merge into {labelText(kind, target)}
          </Button>
          <Button onClick={() => setChosen(new Set())}>Clear</Button>
        </div>
      )}
      {view === "twins" ? (
        <ul class="things">
          {(labels?.twins ?? []).map((twins) => (
            <TwinRow
              key={twins.names.join(" ")}
              kind={kind}
              twins={twins}
              labels={byName}
              onMerge={(names, into) => void merge(names, into)}
            />
          ))}
          {labels?.twins.length === 0 ? <li class="hint">No two {many} look alike.</li> : null}
        </ul>
      ) : (
        <ul class="things">
          {(whole ? shown : shown.slice(0, SHOWN)).map((label) => (
            <Row
              key={label.name}
              kind={kind}
              label={label}
              isSelected={chosen.has(label.name)}
              onSelect={() => toggle(label.name)}
              onRename={() => setRenaming(label)}
              onRemove={() => void removeLabel(kind, label.name).then(load)}
            />
          ))}
          {shown.length === 0 && all.length > 0 ? <li class="hint">No {one} matches.</li> : null}
        </ul>
      )}
      {view !== "twins" && !whole && shown.length > SHOWN ? (
        <Button onClick={() => setWhole(true)}>Show all {shown.length.toLocaleString("en")}</Button>
      ) : null}
      {labels === undefined || labels.aliases.length === 0 ? null : (
        <details class="things-aliases">
          <summary>
            Merged names <Count of={labels.aliases.length} />
          </summary>
          <p class="hint">A link that would get one of these names gets the other one.</p>
          <ul class="hint">
            {labels.aliases.map(({ name, target: to }) => (
              <li key={name} dir="auto">
                {labelText(kind, name)} → {labelText(kind, to)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {renaming === null ? null : (
        <RenameDialog
          kind={kind}
          label={renaming}
          all={all}
          onClose={() => setRenaming(null)}
          onDone={() => void load()}
        />
      )}
    </ThingsPage>
  )
}

export const TagsPage = () => <LabelsPage kind="tag" />

export const CategoriesPage = () => <LabelsPage kind="category" />
