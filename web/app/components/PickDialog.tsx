import { useMemo, useState } from "preact/hooks"
import { UNSORTED } from "../../../src/shared/Category.ts"
import { MAX_CATEGORY, MAX_COLLECTION_NAME } from "../../../src/shared/Limits.ts"
import { named, setCategory, setCollection } from "../state/changes.ts"
import { close } from "../state/dialogs.ts"
import { peekLink } from "../state/entities.ts"
import { meta } from "../state/meta.ts"
import { Dialog } from "./Dialog.tsx"
import { Icon } from "./Icon.tsx"
import { asCategory, asCollection, type Choice, type Option, optionsOf } from "./options.ts"
import { descriptions } from "./PageHeader.tsx"
import { isPlainKey, useListBox } from "./useListBox.ts"

type Kind = "category" | "collection"

const words = {
  category: {
    title: "Category",
    label: "Find or create a category",
    none: "No category",
    about: descriptions.categories,
    normalize: asCategory,
    maxLength: MAX_CATEGORY
  },
  collection: {
    title: "File in a collection",
    label: "Find or create a collection",
    none: "No collection",
    about: descriptions.collections,
    normalize: asCollection,
    maxLength: MAX_COLLECTION_NAME
  }
}

const nameOf = (kind: Kind, id: number): string | null | undefined => {
  const link = peekLink(id)
  if (link === undefined) return undefined
  if (kind === "collection") return link.collection?.name ?? null
  return link.category === UNSORTED ? null : link.category
}

/** The category or collection that all links share (null: none); undefined if they differ or it is unknown. */
const sharedName = (kind: Kind, ids: ReadonlyArray<number>): string | null | undefined => {
  const [first] = ids
  const name = first === undefined ? undefined : nameOf(kind, first)
  return ids.every((id) => nameOf(kind, id) === name) ? name : undefined
}

/** The current choice first, then those with the most links. */
const sorted = (choices: ReadonlyArray<Choice>, now: string | null | undefined) =>
  choices.toSorted(
    (a, b) =>
      Number(b.name === now) - Number(a.name === now) || b.count - a.count || a.name.localeCompare(b.name)
  )

const isCurrent = (option: Option, now: string | null | undefined) =>
  option.kind === "known" ? option.name === now : option.kind === "none" && now === null

const keyOf = (option: Option) => (option.kind === "none" ? "none" : `${option.kind} ${option.name}`)

interface OptionProps {
  readonly option: Option
  readonly chosen: boolean
  /** What the choice of none is called. */
  readonly none: string
}

const OptionContent = ({ chosen, none, option }: OptionProps) => {
  if (option.kind === "create")
    return (
      <>
        <Icon name="plus" />
        <span class="combobox-name" dir="auto">
          Create “{option.name}”
        </span>
      </>
    )
  return (
    <>
      {chosen ? <Icon name="check" /> : <span class="icon" />}
      <span class="combobox-name" dir="auto">
        {option.kind === "none" ? none : option.name}
      </span>
      {chosen ? <span class="hint">current</span> : null}
      {option.kind === "known" ? <span class="hint">{option.count.toLocaleString("en")}</span> : null}
    </>
  )
}

/** The dialog that sets the links' category or collection, to an existing or a new one. */
export const PickDialog = ({ ids, kind }: { readonly kind: Kind; readonly ids: ReadonlyArray<number> }) => {
  const { about, label, maxLength, none, normalize, title } = words[kind]
  const now = useMemo(() => sharedName(kind, ids), [kind, ids])
  const choices = meta.value?.[kind === "category" ? "categories" : "collections"]
  const find = useMemo(() => optionsOf(sorted(choices ?? [], now), normalize), [choices, now, normalize])
  const [typed, setTyped] = useState("")
  const options = useMemo(() => find(typed, none), [find, typed, none])
  const start = typed.trim() === "" ? options.findIndex((option) => isCurrent(option, now)) : 0
  const onPick = (option: Option) => {
    close()
    if (isCurrent(option, now)) return
    const name = option.kind === "none" ? null : option.name
    if (kind === "category") void setCategory(ids, name ?? UNSORTED)
    else void setCollection(ids, name)
  }
  const box = useListBox({ label, isOpen: true, options, first: start, onPick })
  return (
    <Dialog
      title={title}
      class="pick-dialog"
      onClose={close}
      about={
        <>
          <p class="hint" dir="auto">
            {named(ids)}
          </p>
          <p class="hint">{about}</p>
        </>
      }
    >
      <div class="combobox">
        <input
          {...box.field}
          class="input"
          aria-label={label}
          enterkeyhint="done"
          maxLength={maxLength}
          placeholder={label}
          value={typed}
          onInput={({ currentTarget }) => {
            box.reset()
            setTyped(currentTarget.value)
          }}
          onKeyDown={(event) => {
            if (isPlainKey(event) && (box.onKey(event) || event.key === "Enter")) event.preventDefault()
          }}
        />
        {options.length === 0 ? <p class="hint">No options.</p> : null}
        <div {...box.list} class="combobox-list">
          {options.map((option, index) => (
            <div key={keyOf(option)} {...box.option(index)}>
              <OptionContent option={option} chosen={isCurrent(option, now)} none={none} />
            </div>
          ))}
        </div>
      </div>
    </Dialog>
  )
}
