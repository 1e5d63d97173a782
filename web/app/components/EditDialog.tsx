import type { ReadonlySignal } from "@preact/signals"
import { useEffect, useRef, useState } from "preact/hooks"
import { readableHost } from "../../../src/shared/HostName.ts"
import { ApiError, type Link } from "../api.ts"
import { fieldNames } from "../edited.ts"
import { needsService } from "../state/connection.ts"
import { openDetailAfterDialog } from "../state/detail.ts"

import { close } from "../state/dialogs.ts"
import { forgetDraft, readDraft, writeDraft } from "../state/drafts.ts"
import { editLink } from "../state/linkChanges.ts"
import { reasonOf } from "../state/toasts.ts"
import { known } from "../state/wholeLink.ts"
import { Dialog, DialogHeader, focusOnMount } from "./Dialog.tsx"
import { NameField } from "./NameField.tsx"
import { TagField } from "./TagField.tsx"
import { changedFields, type Fields, fieldsOf, LIMITS, problemOf, roomLeft, roomText } from "./texts.ts"
import { useUnsaved } from "./useUnsaved.ts"

const listed = new Intl.ListFormat("en")

const isText = (value: unknown): value is string => typeof value === "string"

/** The fields with the texts that were typed earlier and not saved. */
const withDraft = (id: number, base: Fields): Fields => {
  const draft = readDraft(id)
  const text = (name: Exclude<keyof Fields, "tags">) => {
    const value = draft.get(name)
    return isText(value) ? value : base[name]
  }
  const tags = draft.get("tags")
  return {
    title: text("title"),
    url: text("url"),
    collection: text("collection"),
    category: text("category"),
    tags: Array.isArray(tags) ? tags.filter(isText) : base.tags,
    note: text("note"),
    summary: text("summary")
  }
}

const Counter = ({
  id,
  limit,
  text
}: {
  readonly id: string
  readonly limit: number
  readonly text: string
}) => {
  const left = roomLeft(text, limit)
  return (
    <span id={id} class={left !== null && left < 0 ? "problem" : "hint"} aria-live="polite">
      {left === null ? "" : roomText(left)}
    </span>
  )
}

interface ActionsProps {
  readonly busy: boolean
  /** Whether to ask if unsaved changes should be discarded. */
  readonly asking: boolean
  readonly onCancel: () => void
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

const Actions = ({ asking, busy, onCancel, onDiscard, onKeep }: ActionsProps) =>
  asking ? (
    <div class="dialog-actions">
      <strong class="dialog-question" role="alert">
        Discard changes?
      </strong>
      <button type="button" class="button" ref={focusOnMount} onClick={onKeep}>
        Keep editing
      </button>
      <button type="button" class="button" data-kind="danger" onClick={onDiscard}>
        Discard
      </button>
    </div>
  ) : (
    <div class="dialog-actions">
      <button type="button" class="button" disabled={busy} onClick={onCancel}>
        Cancel
      </button>
      <button
        type="submit"
        class="button"
        data-kind="primary"
        disabled={busy}
        aria-busy={busy}
        {...needsService()}
      >
        {busy ? "Saving…" : "Save"}
      </button>
    </div>
  )

/** Why the form was not saved. */
interface Problem {
  readonly text: string
  readonly field?: keyof Fields
  /** The link that has the address already. */
  readonly other?: number | undefined
}

interface Props {
  readonly link: ReadonlySignal<Link>
  /** The field to begin with. */
  readonly field?: keyof Fields | undefined
}

/** Edits everything about a link that the owner can set; only what was changed is saved. */
export const EditDialog = ({ field: first = "title", link }: Props) => {
  const { id } = link.peek()
  const [base, setBase] = useState(() => fieldsOf(link.value))
  const [fields, setFields] = useState(() => withDraft(id, base))
  const [restored, setRestored] = useState(() => Object.keys(changedFields(base, fields)).length > 0)
  const [problem, setProblem] = useState<Problem>()
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const changed = changedFields(base, fields)
  const isChanged = Object.keys(changed).length > 0
  const now = fieldsOf(link.value)
  const elsewhere = busy ? {} : changedFields(base, now)
  const names = Object.entries(fieldNames).flatMap(([name, text]) => (name in elsewhere ? [text] : []))
  const whole = known.value?.id === id ? known.value.whole : undefined
  useUnsaved(isChanged)
  useEffect(() => {
    if (isChanged)
      writeDraft(id, Object.fromEntries(Object.entries(fields).filter(([name]) => name in changed)))
    else forgetDraft(id)
  }, [fields, isChanged])

  const focus = (name: keyof Fields) => form.current?.querySelector<HTMLElement>(`#edit-${name}`)?.focus()
  const discard = () => {
    forgetDraft(id)
    close()
  }
  const mayClose = () => {
    if (busy) return false
    if (isChanged) setAsking(true)
    return !isChanged
  }
  const cancel = () => mayClose() && close()
  const save = async () => {
    if (busy) return
    const wrong = problemOf(fields)
    setProblem(wrong)
    if (wrong !== undefined) return focus(wrong.field)
    if (!isChanged) return close()
    setBusy(true)
    const refused = await editLink(id, changed)
    if (refused === undefined) return discard()
    setBusy(false)
    setProblem({
      text: `Not saved. ${reasonOf(refused)}`,
      ...(refused instanceof ApiError && refused.code === "url_taken"
        ? { field: "url", other: refused.link }
        : {})
    })
  }
  const showNew = () => {
    const mine = changedFields(base, fields)
    setBase(now)
    setFields({
      title: "title" in elsewhere ? now.title : fields.title,
      url: "url" in elsewhere ? now.url : fields.url,
      collection: "collection" in elsewhere ? now.collection : fields.collection,
      category: "category" in elsewhere ? now.category : fields.category,
      tags: "tags" in elsewhere && !("tags" in mine) ? now.tags : fields.tags,
      note: "note" in elsewhere ? now.note : fields.note,
      summary: "summary" in elsewhere ? now.summary : fields.summary
    })
    focus("title")
  }
  const type = (some: Partial<Fields>) => {
    setFields({ ...fields, ...some })
    setAsking(false)
    setRestored(false)
  }
  const textField = (name: "title" | "url" | "note" | "summary") => ({
    id: `edit-${name}`,
    class: "input",
    readOnly: busy,
    "data-autofocus": name === first ? "" : undefined,
    "aria-invalid": problem?.field === name,
    "aria-describedby": name === "url" ? "edit-problem" : `edit-${name}-room edit-problem`,
    value: fields[name],
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      type({ [name]: currentTarget.value })
  })

  return (
    <Dialog label="Edit" guard={mayClose} onClose={close}>
      <form
        ref={form}
        class="dialog-form"
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
        <DialogHeader title="Edit" onClose={cancel}>
          <p class="hint">{readableHost(link.value.host)}</p>
        </DialogHeader>
        <div class="dialog-body">
          {restored ? (
            <p class="hint" role="status">
              Your unsaved changes are back.{" "}
              <button type="button" class="link-button" onClick={() => type(base)}>
                Start again
              </button>
            </p>
          ) : null}
          <div class="field">
            <label for="edit-title">Title</label>
            <input {...textField("title")} dir="auto" autoComplete="off" required />
            <Counter id="edit-title-room" limit={LIMITS.title} text={fields.title} />
          </div>
          <div class="field">
            <label for="edit-url">Address</label>
            <input
              {...textField("url")}
              type="url"
              inputMode="url"
              autoComplete="off"
              autocapitalize="none"
              spellcheck={false}
              required
            />
          </div>
          <TagField
            id="edit-tags"
            label="Tags"
            tags={fields.tags}
            onChange={(tags) => type({ tags })}
            readOnly={busy}
            autofocus={first === "tags"}
            {...(whole === undefined ? {} : { likely: whole.likelyTags })}
          />
          <div class="edit-pair">
            <NameField
              id="edit-collection"
              kind="collection"
              label="Collection"
              value={fields.collection}
              onChange={(collection) => type({ collection })}
              readOnly={busy}
              autofocus={first === "collection"}
              isInvalid={problem?.field === "collection"}
              describedBy="edit-problem"
            />
            <NameField
              id="edit-category"
              kind="category"
              label="Category"
              value={fields.category}
              onChange={(category) => type({ category })}
              readOnly={busy}
              autofocus={first === "category"}
              isInvalid={problem?.field === "category"}
              describedBy="edit-problem"
            />
          </div>
          <div class="field">
            <label for="edit-note">Note</label>
            <textarea {...textField("note")} dir="auto" rows={3} />
            <Counter id="edit-note-room" limit={LIMITS.note} text={fields.note} />
          </div>
          <div class="field">
            <label for="edit-summary">Summary</label>
            <textarea {...textField("summary")} dir="auto" rows={5} />
            <Counter id="edit-summary-room" limit={LIMITS.summary} text={fields.summary} />
          </div>
        </div>
        <p class="hint" role="status">
          {names.length === 0 ? null : (
            <>
              This link was changed elsewhere:{" "}
              <button type="button" class="link-button" onClick={showNew}>
                show its new {listed.format(names)}
              </button>
            </>
          )}
        </p>
        <p id="edit-problem" class="problem" role="alert">
          {problem === undefined ? null : (
            <>
              {problem.text}{" "}
              {problem.other === undefined ? null : (
                <button
                  type="button"
                  class="link-button"
                  onClick={() => {
                    const { other } = problem
                    close()
                    if (other !== undefined) openDetailAfterDialog(other)
                  }}
                >
                  Show that link
                </button>
              )}
            </>
          )}
        </p>
        <Actions
          busy={busy}
          asking={asking}
          onCancel={cancel}
          onKeep={() => {
            setAsking(false)
            focus("title")
          }}
          onDiscard={discard}
        />
      </form>
    </Dialog>
  )
}
