import { useEffect, useRef, useState } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { named } from "../state/changes.ts"
import { close } from "../state/dialogs.ts"
import { peekLink } from "../state/entities.ts"
import { changeTags } from "../state/linkChanges.ts"
import { known } from "../state/wholeLink.ts"
import { FormDialog, useDiscard } from "./FormDialog.tsx"
import { TagField } from "./TagField.tsx"
import { useLinks } from "./useLinks.ts"

/** For more links than this, the tags of those that are loaded are shown. */
const MOST_LOADED = 1_000
/** How many tags of a selection are listed. */
const MOST_TAGS = 100

/** The tags of these links, the most common first; of links that are not loaded nothing is known. */
const tagsOf = (ids: ReadonlyArray<number>) => {
  const counts = new Map<string, number>()
  let loaded = 0
  for (const id of ids) {
    const link = peekLink(id)
    if (link === undefined) continue
    loaded++
    for (const tag of link.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  }
  const all = [...counts].map(([tag, links]) => ({ tag, links }))
  return { loaded, tags: all.sort((a, b) => b.links - a.links || a.tag.localeCompare(b.tag)) }
}

interface RowProps {
  readonly tag: string
  readonly links: number
  readonly of: number
  /** Whether all links are to have it, or none; undefined leaves it as it is. */
  readonly wanted: boolean | undefined
  readonly onChange: (wanted: boolean | undefined) => void
}

/** A tag of some or all links: a box that goes from as it is to all and to none. */
const Row = ({ links, of, onChange, tag, wanted }: RowProps) => {
  const box = useRef<HTMLInputElement>(null)
  const hasAll = links === of
  const isMixed = wanted === undefined && !hasAll
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isMixed
  })
  return (
    <li>
      <label class="choice">
        <input
          ref={box}
          type="checkbox"
          checked={wanted ?? hasAll}
          onChange={() =>
            onChange(
              hasAll
                ? wanted === false
                  ? undefined
                  : false
                : wanted === undefined
                  ? true
                  : wanted
                    ? false
                    : undefined
            )
          }
        />
        <span class="combobox-name" dir="auto">
          #{tag}
        </span>
        <span class="hint">
          {hasAll ? "all" : `${links.toLocaleString("en")} of ${of.toLocaleString("en")}`}
        </span>
      </label>
    </li>
  )
}

/** Adds tags to links and removes some of theirs. */
export const TagsDialog = ({ ids }: { readonly ids: ReadonlyArray<number> }) => {
  const [only] = ids.length === 1 ? ids : []
  const { loaded, tags } = tagsOf(ids)
  const [wanted, setWanted] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [added, setAdded] = useState<ReadonlyArray<string>>([])
  const [mine, setMine] = useState<ReadonlyArray<string> | null>(null)
  const [isTyping, setTyping] = useState(false)
  useLinks(ids, MOST_LOADED)

  const has = only === undefined ? tags.map(({ tag }) => tag) : (peekLink(only)?.tags ?? [])
  const change =
    only === undefined
      ? {
          add: [...new Set([...added, ...[...wanted].flatMap(([tag, on]) => (on ? [tag] : []))])],
          remove: [...wanted].flatMap(([tag, on]) => (on || added.includes(tag) ? [] : [tag]))
        }
      : {
          add: (mine ?? has).filter((tag) => !has.includes(tag)),
          remove: has.filter((tag) => !(mine ?? has).includes(tag))
        }
  const isChanged = change.add.length + change.remove.length > 0
  const discarding = useDiscard(isChanged, "Discard changes?", close)
  const save = () => {
    close()
    void changeTags(ids, change)
    return false
  }
  const whole = only !== undefined && known.value?.id === only ? known.value.whole : undefined
  return (
    <FormDialog
      title="Tags"
      class="tags-dialog"
      confirm="Save"
      isReady={isChanged || isTyping}
      onSubmit={save}
      onClose={close}
      {...discarding}
      about={
        <p class="hint" dir="auto">
          {named(ids)}
        </p>
      }
    >
      {only === undefined ? (
        <TagField
          id="bulk-tags"
          label="Add to all of them"
          tags={added}
          onChange={setAdded}
          onTyping={setTyping}
          autofocus
        />
      ) : (
        <TagField
          id="bulk-tags"
          label="Its tags"
          tags={mine ?? has}
          onChange={setMine}
          onTyping={setTyping}
          autofocus
          {...(whole === undefined ? {} : { likely: whole.likelyTags })}
        />
      )}
      {only !== undefined || tags.length === 0 ? null : (
        <fieldset class="tag-rows">
          <legend>
            Their tags
            {loaded < ids.length ? (
              <span class="hint"> of the {count(loaded, "link")} that are loaded</span>
            ) : null}
          </legend>
          <ul>
            {tags.slice(0, MOST_TAGS).map(({ links, tag }) => (
              <Row
                key={tag}
                tag={tag}
                links={links}
                of={loaded}
                wanted={wanted.get(tag)}
                onChange={(on) => {
                  const next = new Map(wanted)
                  if (on === undefined) next.delete(tag)
                  else next.set(tag, on)
                  setWanted(next)
                }}
              />
            ))}
          </ul>
        </fieldset>
      )}
    </FormDialog>
  )
}
