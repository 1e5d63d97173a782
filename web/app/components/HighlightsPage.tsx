import { useEffect, useState } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { highlightColours } from "../../../src/shared/HighlightParameters.ts"
import { ageOf, timeOf } from "../age.ts"
import { api, type Highlight, type HighlightList, type ListedHighlight } from "../api.ts"
import { colourNames } from "../state/highlights.ts"
import { meta } from "../state/meta.ts"
import { highlightHref, readerHref } from "../state/route.ts"
import { reasonOf } from "../state/toasts.ts"
import { HighlightDialog } from "./HighlightDialog.tsx"
import { HighlightItem } from "./HighlightItem.tsx"
import { type Notice, ThingsPage } from "./ThingsPage.tsx"

/** How long typing may pause before the list is asked for, in milliseconds. */
const DEBOUNCE = 150

type Colour = Highlight["colour"]

const paramsOf = (q: string, colour: Colour | null) => {
  const params = new URLSearchParams()
  if (q.trim() !== "") params.set("q", q.trim())
  if (colour !== null) params.set("colour", colour)
  return params
}

const Item = ({
  highlight,
  onEdit
}: {
  readonly highlight: ListedHighlight
  readonly onEdit: () => void
}) => (
  <HighlightItem
    highlight={highlight}
    onEdit={onEdit}
    facts={
      <>
        <a href={readerHref(highlight.linkId)} dir="auto">
          {highlight.link.title}
        </a>
        <time dateTime={highlight.createdAt} title={timeOf(highlight.createdAt)}>
          {ageOf(highlight.createdAt)}
        </time>
        {highlight.isLost ? <span>No longer in the text</span> : null}
      </>
    }
  >
    <a href={highlightHref(highlight)}>{highlight.quote}</a>
  </HighlightItem>
)

/** The page of all highlights: searched, by colour, and exported. */
export const HighlightsPage = () => {
  const [q, setQ] = useState("")
  const [colour, setColour] = useState<Colour | null>(null)
  const [list, setList] = useState<HighlightList | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [attempt, setAttempt] = useState(0)
  const [edited, setEdited] = useState<Highlight | null>(null)
  useEffect(() => {
    const request = new AbortController()
    const timer = setTimeout(
      () =>
        api.highlights(paramsOf(q, colour), request.signal).then(
          (found) => {
            setList(found)
            setFailure(null)
          },
          (error: unknown) => {
            if (!request.signal.aborted) setFailure(reasonOf(error))
          }
        ),
      list === null ? 0 : DEBOUNCE
    )
    return () => {
      clearTimeout(timer)
      request.abort()
    }
  }, [q, colour, attempt, meta.value])
  const more = async () => {
    if (list === null || list.nextCursor === null) return
    const params = paramsOf(q, colour)
    params.set("cursor", list.nextCursor)
    try {
      const next = await api.highlights(params, new AbortController().signal)
      setList({ ...next, highlights: [...list.highlights, ...next.highlights] })
    } catch (error) {
      setFailure(reasonOf(error))
    }
  }
  const isNarrowed = q.trim() !== "" || colour !== null
  const clear = () => {
    setQ("")
    setColour(null)
  }
  const notice: Notice | null =
    failure !== null
      ? { text: failure, retry: () => setAttempt(attempt + 1) }
      : list?.total === 0 && !isNarrowed
        ? {
            text: "Nothing is highlighted yet. Open a link’s kept page with “Read here”, select a passage, and choose a colour."
          }
        : null
  const exported = paramsOf(q, colour)
  const suffix = exported.size === 0 ? "" : `?${exported}`
  return (
    <>
      <ThingsPage
        page="highlights"
        count={list === null || list.total === 0 ? "" : count(list.total, "highlight")}
        busy={list === null && failure === null}
        notice={notice}
        actions={
          list === null || list.total === 0 ? null : (
            <>
              <a class="button" href={`/dashboard/api/highlights.md${suffix}`} download>
                Export as Markdown
              </a>
              <a class="button" href={`/dashboard/api/highlights.json${suffix}`} download>
                Export as Web Annotations
              </a>
            </>
          )
        }
      >
        <div class="row">
          <input
            type="search"
            class="input grow"
            dir="auto"
            autoComplete="off"
            aria-label="Search highlights"
            placeholder="Search passages and notes"
            value={q}
            onInput={({ currentTarget }) => setQ(currentTarget.value)}
          />
        </div>
        <fieldset class="row">
          <legend class="visually-hidden">Colour</legend>
          <button type="button" class="button" aria-pressed={colour === null} onClick={() => setColour(null)}>
            All colours
          </button>
          {highlightColours.map((one) => (
            <button
              key={one}
              type="button"
              class="button highlight-filter"
              data-colour={one}
              aria-pressed={colour === one}
              onClick={() => setColour(one)}
            >
              {colourNames[one]}
            </button>
          ))}
        </fieldset>
        {list?.total === 0 ? (
          <div class="notice">
            <p>No highlight matches{q.trim() === "" ? "" : ` “${q.trim()}”`}.</p>
            <p>
              <button type="button" class="button" onClick={clear}>
                Clear filters
              </button>
            </p>
          </div>
        ) : (
          <ul class="stack">
            {(list?.highlights ?? []).map((highlight) => (
              <Item key={highlight.id} highlight={highlight} onEdit={() => setEdited(highlight)} />
            ))}
          </ul>
        )}
        {list?.nextCursor == null ? null : (
          <p>
            <button type="button" class="button" onClick={() => void more()}>
              Show more
            </button>
          </p>
        )}
      </ThingsPage>
      {edited === null ? null : (
        <HighlightDialog
          highlight={edited}
          onClose={(changed) => {
            setEdited(null)
            if (changed) setAttempt(attempt + 1)
          }}
        />
      )}
    </>
  )
}
