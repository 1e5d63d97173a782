import type { ComponentChildren } from "preact"
import { useId, useState } from "preact/hooks"
import { normalizeCollectionPath } from "../../../src/shared/CollectionPath.ts"
import { dayText } from "../../../src/shared/Format.ts"
import { readableHost } from "../../../src/shared/HostName.ts"
import { MAX_NOTE } from "../../../src/shared/Limits.ts"
import { returnedSentences } from "../../../src/shared/Returned.ts"
import { type Added, api } from "../api.ts"
import type { Shared } from "../sharedText.ts"
import { storeLinks } from "../state/entities.ts"
import { showSaved } from "../state/events.ts"
import { refreshMeta } from "../state/meta.ts"
import { reasonOf } from "../state/toasts.ts"
import { addressProblem, NOTE_TOO_LONG, typedAddress } from "../typedAddress.ts"
import { Button } from "./Button.tsx"
import { TextField } from "./Fields.tsx"
import { NameField } from "./NameField.tsx"
import { asCollection } from "./options.ts"
import { TagField } from "./TagField.tsx"
import { useUnsaved } from "./useUnsaved.ts"

interface Props {
  readonly initial: Shared
  /** The buttons shown once the link is saved; `again` empties the form. */
  readonly after: (again: () => void, added: Added) => ComponentChildren
  /** Called with a new link once it is saved; returns whether nothing more is to be shown about it. */
  readonly onAdded?: (added: Added) => boolean
  /** Shown beside the Save button. */
  readonly beside?: ComponentChildren
  /** Called with whether there is unsaved input. */
  readonly onDirty?: (dirty: boolean) => void
}

export const EMPTY: Shared = { url: "", note: "", title: "" }

export const savedText = ({ existing, link, url }: Added): string => {
  if (existing === undefined) return `Saved ${readableHost(new URL(url).host)}. Reading the page…`
  const { createdAt, isNoteFull, returnedFrom } = existing
  const title = link === undefined || link.enrichment === "pending" ? "" : ` “${link.title}”`
  const returned = returnedFrom === null ? "" : ` ${returnedSentences[returnedFrom]}`
  const full = isNoteFull ? ` Its note is full: your note was not added.` : ""
  return `Already in your library, saved ${dayText(createdAt)}.${title}${returned}${full}`
}

/** The form that saves a link, typed or passed on by another app; it saves only when submitted. */
export const AddForm = ({ after, beside, initial, onAdded, onDirty }: Props) => {
  const id = useId()
  const [given, setGiven] = useState(initial)
  const [url, setUrl] = useState(initial.url)
  const [note, setNote] = useState(initial.note)
  const [problem, setProblem] = useState("")
  const [busy, setBusy] = useState(false)
  const [tags, setTags] = useState<ReadonlyArray<string>>([])
  const [collection, setCollection] = useState("")
  const [isTyped, setTyped] = useState(false)
  const [added, setAdded] = useState<Added>()
  useUnsaved(isTyped)

  const type = (change: () => void) => {
    change()
    setProblem("")
    setTyped(true)
    onDirty?.(true)
  }
  const save = async () => {
    const address = typedAddress(url)
    if (busy) return
    const wrong = addressProblem(url)
    if (address === undefined || wrong !== undefined) return setProblem(wrong ?? "")
    if (note.trim().length > MAX_NOTE) return setProblem(NOTE_TOO_LONG)
    const path = asCollection(collection)
    if (path !== "" && normalizeCollectionPath(path) === null)
      return setProblem("The name of the collection is too long.")
    setBusy(true)
    setProblem("")
    try {
      const title = url.trim() === given.url ? given.title : ""
      const answer = await api.add({
        url: address,
        ...(note.trim() === "" ? {} : { note: note.trim() }),
        ...(title === "" ? {} : { title }),
        ...(tags.length === 0 ? {} : { tags }),
        ...(path === "" ? {} : { collection: path })
      })
      setTyped(false)
      onDirty?.(false)
      refreshMeta()
      if (answer.link !== undefined) {
        storeLinks([answer.link], { ifNewer: true })
        if (answer.existing === undefined) showSaved([answer.link])
      }
      if (onAdded?.(answer) !== true) setAdded(answer)
    } catch (error) {
      setProblem(`Not saved. ${reasonOf(error)}`)
    }
    setBusy(false)
  }
  const again = () => {
    setGiven(EMPTY)
    setUrl("")
    setNote("")
    setTags([])
    setCollection("")
    setAdded(undefined)
  }

  if (added !== undefined)
    return (
      <div class="stack add-form">
        <p class="add-saved prewrap" role="status" dir="auto">
          {savedText(added)}
        </p>
        {added.existing?.isNoteFull === false && (note.trim() !== "" || tags.length > 0) ? (
          <p class="hint">What you typed was added to it.</p>
        ) : null}
        <div class="row end">{after(again, added)}</div>
      </div>
    )
  return (
    <form
      class="stack add-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        void save()
      }}
    >
      {given.title === "" ? null : (
        <p class="hint" dir="auto">
          {given.title}
        </p>
      )}
      <div class="field">
        <label for={`${id}-url`}>Address</label>
        <input
          id={`${id}-url`}
          class="input"
          type="url"
          inputMode="url"
          autoComplete="off"
          autocapitalize="none"
          spellcheck={false}
          required
          readOnly={busy}
          aria-describedby={`${id}-problem`}
          aria-invalid={problem !== ""}
          placeholder="Paste an address, then press Enter"
          value={url}
          onInput={({ currentTarget }) => type(() => setUrl(currentTarget.value))}
        />
      </div>
      <p id={`${id}-problem`} class="problem" role="alert">
        {problem}
      </p>
      <details class="fold" open={initial.note !== ""}>
        <summary>Tags, collection, note</summary>
        <div class="stack">
          <TagField
            id={`${id}-tags`}
            label="Tags"
            tags={tags}
            onChange={(now) => type(() => setTags(now))}
            readOnly={busy}
          />
          <NameField
            id={`${id}-collection`}
            kind="collection"
            label="Collection"
            about="The one place that you file it into."
            value={collection}
            onChange={(now) => type(() => setCollection(now))}
            readOnly={busy}
          />
          <TextField
            label="Note"
            rows={3}
            readOnly={busy}
            value={note}
            onValue={(now) => type(() => setNote(now))}
          />
        </div>
      </details>
      <div class="row end">
        {beside}
        <Button type="submit" kind="primary" busy={busy} needsService>
          {busy ? "Saving…" : "Save"}
        </Button>
      </div>
    </form>
  )
}
