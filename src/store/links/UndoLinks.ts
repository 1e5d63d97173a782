import type { Field } from "../../domain/Change.ts"
import { columns } from "./ChangeColumns.ts"
import { OWNER_SET, valuesBefore } from "./ImportRecord.ts"

export type Values = Readonly<Record<string, unknown>>

export interface LinkNow {
  readonly place: "library" | "trash"
  readonly values: Values
}

/** The effect of one change on a link; an import's has no `before` if it has added the link. */
export interface LinkStep {
  readonly before: Values | null
  readonly after: Values | null
  readonly fields: ReadonlyArray<Field>
  /** A job made it: then the owner's later choices are kept. */
  readonly isAutomatic: boolean
}

/** `keep` leaves fields that have been changed since, until the owner insists. */
export type OnChanged = "keep" | "overwrite"

export interface LinkUndo {
  /** Its new values and its move, as the work of a change; none if the link is no part of the undo. */
  readonly work: Values | undefined
  readonly fields: ReadonlyArray<Field>
  readonly changed: ReadonlyArray<Field>
  /** Whether the page goes that the import has brought. */
  readonly dropsPage: boolean
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** Whether the owner has chosen a value of a field that jobs set too; for a collection also by refusing the job's. */
const isChosen = (field: Field, now: Values, after: Values) => {
  if (field === "category") return now["categoryByHand"] === true
  if (field !== "collection") return false
  const { refused } = now
  return now["collectionByHand"] === true || (Array.isArray(refused) && refused.includes(after["collection"]))
}

const listIn = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const ownerSetOf = (values: Values | null) => listIn(values?.["hand"])

const flagOf = (value: unknown) => (typeof value === "boolean" ? Number(value) : value)

const ownerSetIn = (field: Field, values: Values): unknown => {
  if (field === "tags") return [flagOf(values["tagsByHand"]), values["handTags"]]
  const mark = flagOf(values[`${field}ByHand`])
  return mark === undefined || mark === 1 ? flagOf(values[field]) : null
}

export const undoLink = (steps: ReadonlyArray<LinkStep>, now: LinkNow, onChanged: OnChanged): LinkUndo => {
  const values: Record<string, unknown> = { ...now.values }
  const work: Record<string, unknown> = {}
  const changed = new Set<Field>()
  const restored = new Set<Field>()
  let place: string = now.place
  let move: string | undefined
  let isPart = false
  let dropsPage = false

  const write = (key: string, value: unknown) => {
    values[key] = value
    work[key] = value
  }

  const undoImport = ({ before, after }: LinkStep) => {
    if (place !== "library" || after === null) return
    const differing = OWNER_SET.filter((_, at) => !isSame(ownerSetOf(values)[at], ownerSetOf(after)[at]))
    for (const [field] of differing) changed.add(field)
    if (differing.length > 0) return
    isPart = true
    if (before === null) {
      move = "delete"
      place = "nowhere"
      return
    }
    for (const [key, value] of Object.entries(valuesBefore(before, after, values))) write(key, value)
    dropsPage = before["kept"] === 0
    if (typeof before["deletedAt"] !== "string") return
    work["deletedAt"] = before["deletedAt"]
    move = "back"
    place = "trash"
  }

  const undoEdit = ({ before, fields, isAutomatic, after }: LinkStep) => {
    if (before === null || after === null) return
    const own = fields.filter((field) => columns[field].some(({ key }) => key in before))
    if (place !== "library" || own.length === 0) return
    if (isAutomatic && own.some((field) => isChosen(field, values, after))) return
    isPart = true
    for (const field of own) {
      const parts = columns[field]
      if (parts.every(({ key }) => isSame(before[key], after[key]))) continue
      const differs = parts.some(({ isCompared, key }) => isCompared && !isSame(values[key], after[key]))
      if (differs) changed.add(field)
      if (differs && onChanged === "keep") continue
      restored.add(field)
      for (const { key } of parts) write(key, before[key])
    }
  }

  for (const step of steps) {
    if (ownerSetOf(step.after).length > 0) {
      undoImport(step)
      continue
    }
    const [was, became] = [step.before?.["place"], step.after?.["place"]]
    if (typeof was === "string" && was !== became) {
      if (place !== became) continue
      // A link that was saved stays where others have changed it since.
      const made = listIn(step.after?.["made"])
      const differing = OWNER_SET.filter(
        ([field], at) =>
          made.length > 0 &&
          !isSame(restored.has(field) ? ownerSetIn(field, values) : ownerSetOf(values)[at], made[at])
      )
      for (const [field] of differing) changed.add(field)
      if (differing.length > 0 && onChanged === "keep") continue
      place = was
      move = place === now.place ? undefined : place === "trash" ? "trash" : "restore"
      isPart = true
    }
    undoEdit(step)
  }
  return {
    work: isPart ? { ...work, ...(move === undefined ? {} : { move }) } : undefined,
    fields: [...restored],
    changed: [...changed],
    dropsPage
  }
}
