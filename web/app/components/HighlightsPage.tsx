import { useEffect, useState } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { highlightColours } from "../../../src/shared/HighlightParameters.ts"
import { api, type Highlight, type HighlightList, type ListedHighlight } from "../api.ts"
import { colourNames } from "../state/highlights.ts"
import { meta } from "../state/meta.ts"
import { highlightHref, readerHref } from "../state/route.ts"
import { reasonOf } from "../state/toasts.ts"
import { Button } from "./Button.tsx"
import { Toggles } from "./Fields.tsx"
import { HighlightDialog, HighlightItem } from "./HighlightItem.tsx"
import { Notice } from "./Notice.tsx"
import { ThingMenu, ThingsPage } from "./ThingsPage.tsx"
import { Age } from "./Times.tsx"

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
        <Age of={highlight.createdAt} />
        {highlight.isLost ? <span>No longer in the text</span> : null}
      </>
    }
  >
    <a href={highlightHref(highlight)}>{highlight.quote}</a>
  </HighlightItem>
)

export const HighlightsPage = () => {
  const [q, setQ] = useState("")
  const [colour, setColour] = useState<Colour | null>(null)
  const [list, setList] = useState<HighlightList>()
  const [problem, setProblem] = useState("")
  const [attempt, setAttempt] = useState(0)
  const [edited, setEdited] = useState<Highlight | null>(null)
  useEffect(() => {
    const request = new AbortController()
    const timer = setTimeout(
      () =>
        api.highlights(paramsOf(q, colour), request.signal).then(
          (found) => {
            setList(found)
            setProblem("")
          },
          (error: unknown) => {
            if (!request.signal.aborted) setProblem(reasonOf(error))
          }
        ),
      list === undefined ? 0 : DEBOUNCE
    )
    return () => {
      clearTimeout(timer)
      request.abort()
    }
  }, [q, colour, attempt, meta.value])
  const more = async () => {
    if (list?.nextCursor == null) return
    const params = paramsOf(q, colour)
    params.set("cursor", list.nextCursor)
    try {
      const next = await api.highlights(params, new AbortController().signal)
      setList({ ...next, highlights: [...list.highlights, ...next.highlights] })
    } catch (error) {
      setProblem(reasonOf(error))
    }
  }
  const isNarrowed = q.trim() !== "" || colour !== null
  const clear = () => {
    setQ("")
    setColour(null)
  }

  const exported = paramsOf(q, colour)
  const suffix = exported.size === 0 ? "" : `?${exported}`
  return (
    <>
      <ThingsPage
        page="highlights"
        count={list === undefined || list.total === 0 ? "" : count(list.total, "highlight")}
        loaded={{ value: list, problem, reload: async () => setAttempt(attempt + 1) }}
        isEmpty={list?.total === 0 && !isNarrowed}
        none="Nothing is highlighted yet. Open a link’s kept page with “Read here”, select a passage, and choose a colour."
        actions={
          list === undefined || list.total === 0 ? null : (
            <ThingMenu
              of="highlights"
              label="Export…"
              actions={[
                { icon: "text", name: "As Markdown", download: `/dashboard/api/highlights.md${suffix}` },
                {
                  icon: "link",
                  name: "As Web Annotations",
                  download: `/dashboard/api/highlights.json${suffix}`
                }
              ]}
            />
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
        <Toggles<Colour | null>
          label="Colour"
          chosen={colour}
          onChoose={setColour}
          choices={[
            [null, "All colours"],
            ...highlightColours.map(
              (one) =>
                [one, colourNames[one], { class: "button highlight-filter", "data-colour": one }] as const
            )
          ]}
        />
        {list?.total === 0 ? (
          <Notice actions={<Button onClick={clear}>Clear filters</Button>}>
            No highlight matches{q.trim() === "" ? "" : ` “${q.trim()}”`}.
          </Notice>
        ) : (
          <ul class="stack">
            {(list?.highlights ?? []).map((highlight) => (
              <Item key={highlight.id} highlight={highlight} onEdit={() => setEdited(highlight)} />
            ))}
          </ul>
        )}
        {list?.nextCursor == null ? null : (
          <p>
            <Button onClick={() => void more()}>Show more</Button>
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
