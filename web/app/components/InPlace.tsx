import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { ApiError, type Link } from "../api.ts"
import { setCategory, setCollection } from "../state/changes.ts"
import { editing, openDetail } from "../state/detail.ts"
import { draftOf, keepDraft } from "../state/drafts.ts"
import { changeTags, editLink } from "../state/linkChanges.ts"
import { reasonOf } from "../state/toasts.ts"
import { known } from "../state/wholeLink.ts"
import { Button } from "./Button.tsx"
import { NameField } from "./NameField.tsx"
import { asCategory, asCollection } from "./options.ts"
import { TagField } from "./TagField.tsx"
import { LIMITS, normalized, problemOf, roomLeft, roomText, type TextName } from "./texts.ts"
import { useUnsaved } from "./useUnsaved.ts"

/** Focuses a field when it takes the place of what it edits. */
const useFocus = (id: string, isOpen: boolean) =>
  useLayoutEffect(() => {
    const field = isOpen ? document.getElementById(id) : null
    field?.focus()
    if (field instanceof HTMLInputElement) field.select()
  }, [isOpen])

interface Problem {
  readonly text: string
  /** The link that has the address already. */
  readonly other?: number | undefined
}

interface TextProps {
  readonly link: Link
  readonly name: TextName
  readonly label: string
  /** The text as it is shown; null if there is none. */
  readonly children: ComponentChildren
}

/** A text that is edited where it is shown, and saved when the focus leaves it. */
export const TextInPlace = ({ children, label, link, name }: TextProps) => {
  const { id } = link
  const value = link[name]
  const buttonId = `edit-${name}`
  // What was typed before the page was closed is back.
  const [typed, setTyped] = useState(() => draftOf(id, name))
  const [base, setBase] = useState(value)
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  /** Where the focus was before, to which a key that ends the editing returns it. */
  const origin = useRef<Element | null>(null)
  /** Whether it was just begun, and takes the focus. */
  const isNew = useRef(false)
  /** Whether it is over: a field that is removed loses the focus, which would save its text. */
  const isOver = useRef(false)
  const isChanged = typed !== null && normalized(name, typed) !== base
  useUnsaved(isChanged)
  const begin = () => {
    origin.current = document.activeElement
    setBase(value)
    setTyped(value)
    isNew.current = true
    isOver.current = false
  }
  const end = () => {
    isOver.current = true
    keepDraft(id, name, null)
    setTyped(null)
    setProblem(undefined)
  }
  useEffect(() => {
    if (editing.value?.id !== id || editing.value.name !== name) return
    editing.value = null
    begin()
  }, [editing.value])
  useLayoutEffect(() => {
    const { current } = field
    if (current === null) return
    if (isNew.current) current.focus()
    isNew.current = false
    current.style.height = "auto"
    current.style.height = `${current.scrollHeight + 2}px`
  }, [typed])

  if (link.deletedAt !== undefined) return <>{children}</>
  const verb = `${children === null ? "Add a" : "Edit the"} ${label.toLowerCase()}`
  if (typed === null)
    return (
      <div class="in-place" data-empty={children === null}>
        {children}
        <Button icon="edit" class="icon-button" id={buttonId} title={verb} needsService onClick={begin}>
          {/* Shown where there is no text yet. */}
          <span class="visually-hidden">{verb}</span>
        </Button>
      </div>
    )

  const giveBackFocus = () =>
    requestAnimationFrame(() => {
      // The owner may have gone on to another field by now, which would close without the focus.
      if (document.activeElement !== document.body) return
      const before = origin.current?.isConnected === true ? origin.current : document.getElementById(buttonId)
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    })
  const leave = () => {
    // By the time a change is saved, the owner may be elsewhere.
    const isHere = document.activeElement === field.current
    end()
    if (isHere) giveBackFocus()
  }
  const save = async ({ byKey = false } = {}) => {
    const done = byKey ? leave : end
    if (busy || isOver.current) return
    if (!isChanged) return done()
    const wrong = problemOf(name, typed)
    if (wrong !== undefined) return setProblem({ text: wrong })
    setBusy(true)
    const refused = await editLink(id, { [name]: normalized(name, typed) })
    setBusy(false)
    if (refused === undefined) return done()
    setProblem({
      text: `Not saved. ${reasonOf(refused)}`,
      other: refused instanceof ApiError && refused.code === "url_taken" ? refused.link : undefined
    })
  }
  const isLine = name === "title" || name === "url"
  const left = name === "url" ? null : roomLeft(typed, LIMITS[name])
  const other = problem?.other
  return (
    <div class="in-place">
      <textarea
        ref={field}
        class="input"
        rows={1}
        dir="auto"
        aria-label={label}
        placeholder={label}
        aria-invalid={problem !== undefined}
        aria-describedby={`${buttonId}-problem`}
        readOnly={busy}
        spellcheck={name !== "url"}
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value)
          keepDraft(id, name, currentTarget.value)
        }}
        onBlur={() => void save()}
        onKeyDown={(event) => {
          if (event.isComposing) return
          const isSaved = event.key === "Enter" && (isLine || event.ctrlKey || event.metaKey)
          if (!isSaved && event.key !== "Escape") return
          event.preventDefault()
          event.stopPropagation()
          if (event.key === "Escape") leave()
          else void save({ byKey: true })
        }}
      />
      <p id={`${buttonId}-problem`} class={problem === undefined ? "hint" : "problem"} role="status">
        {problem?.text ?? (value === base || busy ? null : "Changed elsewhere in the meantime.")}{" "}
        {left === null ? null : roomText(left)}{" "}
        {other === undefined ? null : (
          <Button
            class="link-button"
            onClick={() => {
              end()
              openDetail(other)
            }}
          >
            Show that link
          </Button>
        )}
        {value === base || busy ? null : (
          <Button
            class="link-button"
            // Before the field loses the focus, and saves.
            onPointerDown={(event) => event.preventDefault()}
            onClick={leave}
          >
            Show the new {label.toLowerCase()}
          </Button>
        )}
      </p>
    </div>
  )
}

interface NameProps {
  readonly link: Link
  readonly kind: "category" | "collection"
  readonly button: string
  readonly children: ComponentChildren
}

/** A link's category or collection, which a button turns into a field. */
export const NameInPlace = ({ button, children, kind, link }: NameProps) => {
  const before = kind === "category" ? link.category : (link.collection?.name ?? "")
  const [typed, setTyped] = useState<string | null>(null)
  useFocus(`detail-${kind}`, typed !== null)
  const isOver = useRef(false)
  const end = () => {
    isOver.current = true
    setTyped(null)
  }
  if (typed === null)
    return (
      <>
        {children}
        <Button class="link-button" needsService onClick={() => setTyped(before)}>
          {button}
        </Button>
      </>
    )
  const save = (given: string) => {
    // A field that is removed loses the focus, which would save again.
    if (isOver.current) return
    end()
    const name = kind === "category" ? asCategory(given) : asCollection(given)
    if (name === before) return
    if (kind === "collection") void setCollection([link.id], name === "" ? null : name)
    else if (name !== "") void setCategory([link.id], name)
  }
  return (
    <NameField
      id={`detail-${kind}`}
      kind={kind}
      label={kind === "category" ? "Category" : "Collection"}
      value={typed}
      onChange={setTyped}
      onCommit={save}
      onCancel={end}
    />
  )
}

/** A link's tags, which a button turns into a field; each tag is saved as it is added or removed. */
export const TagsInPlace = ({
  children,
  link
}: {
  readonly link: Link
  readonly children: ComponentChildren
}) => {
  const { id, tags } = link
  const [isOpen, setOpen] = useState(false)
  useFocus("detail-tags", isOpen)
  const whole = known.value?.id === id ? known.value.whole : undefined
  if (!isOpen)
    return (
      <>
        {children}
        <Button class="link-button" title="Edit tags (t)" needsService onClick={() => setOpen(true)}>
          {tags.length === 0 ? "Add tags" : "Edit tags"}
        </Button>
      </>
    )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus and the keys are those of the field in it.
    <div
      class="in-place"
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOpen(false)
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.stopPropagation()
        setOpen(false)
      }}
    >
      <TagField
        id="detail-tags"
        label="Tags"
        tags={tags}
        onChange={(now) =>
          void changeTags([id], {
            add: now.filter((tag) => !tags.includes(tag)),
            remove: tags.filter((tag) => !now.includes(tag))
          })
        }
        {...(whole === undefined ? {} : { likely: whole.likelyTags })}
      />
    </div>
  )
}
