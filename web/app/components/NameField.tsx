import { useMemo } from "preact/hooks"
import { MAX_CATEGORY, MAX_COLLECTION_PATH } from "../../../src/shared/Limits.ts"
import { meta } from "../state/meta.ts"
import { asCategory, asCollection, optionsOf } from "./options.ts"
import { SuggestField } from "./SuggestField.tsx"

interface Props {
  readonly id: string
  readonly kind: "category" | "collection"
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Called with the name that was picked, or left with Enter or otherwise. */
  readonly onCommit?: (value: string) => void
  readonly onCancel?: () => void
  readonly readOnly?: boolean
  readonly autofocus?: boolean
  readonly isInvalid?: boolean
  readonly describedBy?: string
  /** What the field is for. */
  readonly about?: string
}

/** How many names are offered. */
const MOST = 8

/** A field for the name of a category or a collection, which completes existing ones. */
export const NameField = ({
  about,
  id,
  kind,
  label,
  onCancel,
  onChange,
  onCommit,
  value,
  ...others
}: Props) => {
  const choices = meta.value?.[kind === "category" ? "categories" : "collections"]
  const find = useMemo(
    () =>
      optionsOf(
        (choices ?? []).toSorted((a, b) => b.count - a.count),
        kind === "category" ? asCategory : asCollection
      ),
    [choices, kind]
  )
  const suggestions = find(value).flatMap((option) =>
    option.kind === "known" && option.name !== value
      ? [{ value: option.name, hint: option.count.toLocaleString("en") }]
      : []
  )
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <SuggestField
        id={id}
        typed={value}
        onType={onChange}
        onPick={(name) => {
          onChange(name)
          onCommit?.(name)
        }}
        onKey={(key) => {
          if (key === "Enter") onCommit?.(value)
          else if (key === "Escape") onCancel?.()
          else return false
          return onCommit !== undefined
        }}
        onLeave={() => onCommit?.(value)}
        suggestions={suggestions.slice(0, MOST)}
        maxLength={kind === "category" ? MAX_CATEGORY : MAX_COLLECTION_PATH}
        placeholder={kind === "collection" ? "None" : ""}
        {...others}
      />
      {about === undefined ? null : <p class="hint">{about}</p>}
    </div>
  )
}
