import { useMemo, useState } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { MAX_TAG_GIVEN } from "../../../src/shared/Limits.ts"
import { normalizeOwnerTag, normalizeOwnerTags } from "../../../src/shared/Tags.ts"
import { meta } from "../state/meta.ts"
import { suggestTags } from "../tagSuggestions.ts"
import { Button } from "./Button.tsx"
import { SuggestField } from "./SuggestField.tsx"

interface Props {
  readonly id: string
  readonly label: string
  readonly tags: ReadonlyArray<string>
  readonly onChange: (tags: ReadonlyArray<string>) => void
  /** Tags that suit the link by its meaning, the likeliest first. */
  readonly likely?: ReadonlyArray<string>
  readonly readOnly?: boolean
  readonly autofocus?: boolean
  /** Told whether a tag is being typed, which leaving the field will add. */
  readonly onTyping?: (isTyping: boolean) => void
}

/** The text between two tags of a pasted list. */
const SEPARATORS = /[,;\n]+/

/** A field for tags: each becomes a chip at Enter or a comma, and the ones in use complete themselves. */
export const TagField = ({
  autofocus,
  id,
  label,
  likely = [],
  onChange,
  onTyping,
  readOnly = false,
  tags
}: Props) => {
  const [typed, setText] = useState("")
  const setTyped = (text: string) => {
    setText(text)
    onTyping?.(normalizeOwnerTag(text) !== "")
  }
  const [told, setTold] = useState("")
  const all = meta.value?.tags ?? []
  const suggestions = useMemo(
    () =>
      suggestTags(typed, { all, has: tags, likely }).map(({ count: links, isLikely, name }) => ({
        value: name,
        hint: isLikely ? "fits this link" : count(links, "link")
      })),
    [typed, all, tags, likely]
  )
  const add = (given: ReadonlyArray<string>) => {
    const added = normalizeOwnerTags(given).filter((tag) => !tags.includes(tag))
    setTyped("")
    if (added.length === 0) return
    onChange([...tags, ...added])
    setTold(`Added ${added.join(", ")}.`)
  }
  const remove = (tag: string) => {
    onChange(tags.filter((one) => one !== tag))
    setTold(`Removed ${tag}.`)
  }
  const onKey = (key: string): boolean => {
    if ((key === "Enter" || key === ",") && normalizeOwnerTag(typed) !== "") {
      add([typed])
      return true
    }
    // A comma alone is no tag.
    if (key === ",") return true
    const last = tags.at(-1)
    if (key !== "Backspace" || typed !== "" || last === undefined || readOnly) return false
    remove(last)
    return true
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <SuggestField
        id={id}
        typed={typed}
        onType={(text) => (SEPARATORS.test(text) ? add(text.split(SEPARATORS)) : setTyped(text))}
        suggestions={readOnly ? [] : suggestions}
        onPick={(tag) => add([tag])}
        onKey={onKey}
        onPaste={(text) => {
          if (!SEPARATORS.test(text)) return false
          add([typed, ...text.split(SEPARATORS)])
          return true
        }}
        onLeave={() => add([typed])}
        opensOnFocus={likely.length > 0}
        maxLength={MAX_TAG_GIVEN}
        readOnly={readOnly}
        placeholder={tags.length === 0 ? "Type a tag, then Enter" : ""}
        {...(autofocus === undefined ? {} : { autofocus })}
        before={tags.map((tag) => (
          <span class="tag-chip" key={tag}>
            <span dir="auto">#{tag}</span>
            <Button
              icon="close"
              class="icon-button tag-remove"
              disabled={readOnly}
              onClick={({ currentTarget }) => {
                remove(tag)
                currentTarget.closest(".suggest")?.querySelector("input")?.focus()
              }}
            >
              <span class="visually-hidden">Remove {tag}</span>
            </Button>
          </span>
        ))}
      />
      <span class="visually-hidden" role="status">
        {told}
      </span>
    </div>
  )
}
