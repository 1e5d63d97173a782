import { useId, useState } from "preact/hooks"
import { count, dayText, sizeText } from "../../../src/shared/Format.ts"
import { readableHost } from "../../../src/shared/HostName.ts"
import { api, type Statistics } from "../api.ts"
import { axisEnd, monthLabels } from "../chart.ts"
import { progressOf } from "../jobText.ts"
import { ask } from "../state/dialogs.ts"
import { everything, hrefOf } from "../state/route.ts"
import { keepingJob, keepPages } from "../state/startJobs.ts"
import { tell, tellFailure } from "../state/toasts.ts"
import { Button } from "./Button.tsx"
import { PauseButton } from "./JobParts.tsx"
import { Notice } from "./Notice.tsx"
import { PageHeader } from "./PageHeader.tsx"
import { Section } from "./Section.tsx"
import { useLoaded } from "./useLoaded.tsx"

interface Tile {
  readonly name: string
  readonly value: number
  /** The address of the page that lists them, if there is one. */
  readonly href?: string
}

const tilesOf = (of: Statistics): ReadonlyArray<Tile> => [
  { name: "links", value: of.links, href: hrefOf(everything) },
  { name: "saved in 7 days", value: of.savedThisWeek, href: hrefOf({ q: "added:7d" }) },
  { name: "saved in 30 days", value: of.savedThisMonth, href: hrefOf({ q: "added:30d" }) },
  { name: "favorites", value: of.favorites, href: hrefOf({ q: "", favorite: true }) },
  { name: "shared", value: of.shared, href: hrefOf({ q: "", shareable: true }) },
  { name: "unfiled", value: of.unfiled, href: hrefOf({ q: "", collection: "none" }) },
  { name: "unread", value: of.states.unread, href: hrefOf({ q: "is:unread" }) },
  { name: "archived", value: of.states.archived, href: hrefOf({ q: "is:archived" }) },
  { name: "incomplete", value: of.incomplete, href: hrefOf({ q: "is:partial" }) },
  { name: "pages to read", value: of.pagesToRead },
  { name: "collections", value: of.collections, href: "/dashboard/collections" },
  { name: "categories", value: of.categories, href: "/dashboard/categories" }
]

const TileList = ({ tiles }: { readonly tiles: ReadonlyArray<Tile> }) => (
  <ul class="tiles">
    {tiles.map(({ href, name, value }) => (
      <li key={name} class="tile boxed">
        <b>{value.toLocaleString("en")}</b>{" "}
        {href === undefined || value === 0 ? <span>{name}</span> : <a href={href}>{name}</a>}
      </li>
    ))}
  </ul>
)

type Weeks = Statistics["weeks"]

/** The height of the chart in its own units; a week is one unit wide. */
const HEIGHT = 100
/** The width of a bar, as a share of its week. */
const BAR = 0.72

const WeeksChart = ({ weeks }: { readonly weeks: Weeks }) => {
  const id = useId()
  const most = Math.max(...weeks.map(({ saved }) => saved))
  const end = axisEnd(most)
  const total = weeks.reduce((sum, { saved }) => sum + saved, 0)
  const busiest = weeks.find(({ saved }) => saved === most)
  return (
    <>
      <div class="weeks hint">
        <div class="weeks-axis" aria-hidden="true">
          <span>{end.toLocaleString("en")}</span>
          <span>{end % 2 === 0 ? (end / 2).toLocaleString("en") : ""}</span>
          <span>0</span>
        </div>
        <svg
          class="weeks-bars"
          role="img"
          aria-labelledby={`${id}-title ${id}-desc`}
          viewBox={`0 0 ${weeks.length} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          <title id={`${id}-title`}>Links saved per week</title>
          <desc id={`${id}-desc`}>
            {`${count(total, "link")} in ${count(weeks.length, "week")}.`}
            {busiest === undefined || most === 0
              ? ""
              : ` The most were ${count(most, "link")}, in the week from ${dayText(busiest.from)}.`}
          </desc>
          {[0, 0.5, 1].map((share) => (
            <line
              key={share}
              class="weeks-line"
              x1={0}
              x2={weeks.length}
              y1={share * HEIGHT}
              y2={share * HEIGHT}
            />
          ))}
          {weeks.map(({ from, saved }, at) => {
            const height = (saved / end) * HEIGHT
            return (
              <g key={from} class="week">
                <title>{`Week from ${dayText(from)}: ${count(saved, "link")}`}</title>
                <rect class="week-space" x={at} y={0} width={1} height={HEIGHT} />
                <rect
                  class="week-bar"
                  x={at + (1 - BAR) / 2}
                  y={HEIGHT - height}
                  width={BAR}
                  height={height}
                />
              </g>
            )
          })}
        </svg>
        <div class="weeks-months" aria-hidden="true">
          {monthLabels(weeks.map(({ from }) => from)).map((name, at) => (
            <span key={at}>{name}</span>
          ))}
        </div>
      </div>
      <details class="fold chart-table">
        <summary>Show as a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard. */}
        <section class="chart-scroll" tabIndex={0} aria-label="Links saved per week, as a table">
          <table>
            <thead>
              <tr>
                <th scope="col">Week from</th>
                <th scope="col">Links</th>
              </tr>
            </thead>
            <tbody>
              {weeks.toReversed().map(({ from, saved }) => (
                <tr key={from}>
                  <td>{dayText(from)}</td>
                  <td>{saved.toLocaleString("en")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </>
  )
}

interface Bar {
  readonly name: string
  readonly value: number
  /** The value as shown. */
  readonly text: string
  readonly href?: string
}

/** A table whose rows have bars: a chart that reads as a table. */
const Bars = ({
  bars,
  unit,
  what
}: {
  readonly bars: ReadonlyArray<Bar>
  readonly what: string
  readonly unit: string
}) => {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  if (bars.length === 0) return <p class="hint">None yet.</p>
  return (
    <table class="bars">
      <thead class="visually-hidden">
        <tr>
          <th scope="col">{what}</th>
          <th scope="col">{unit}</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ href, name, text, value }) => (
          <tr key={name}>
            <th scope="row" class="one-line" dir="auto">
              {href === undefined ? name : <a href={href}>{name}</a>}
            </th>
            <td>
              <span class="bar-line">
                <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={(value / most) * 100} height={1} />
                </svg>
                <span>{text}</span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** How many names of each kind are shown at first. */
const SHOWN = 10

interface TopProps {
  readonly title: string
  readonly what: string
  readonly names: ReadonlyArray<{ readonly name: string; readonly count: number }>
  readonly hrefOfName: (name: string) => string
}

const Top = ({ hrefOfName, names, title, what }: TopProps) => {
  const [whole, setWhole] = useState(false)
  const shown = whole ? names : names.slice(0, SHOWN)
  return (
    <Section class="chart" title={title}>
      <Bars
        what={what}
        unit="Links"
        bars={shown.map(({ count, name }) => ({
          name,
          value: count,
          text: count.toLocaleString("en"),
          href: hrefOfName(name)
        }))}
      />
      {names.length > shown.length ? (
        <Button kind="quiet" onClick={() => setWhole(true)}>
          Show {names.length - shown.length} more
          <span class="visually-hidden"> {title.toLowerCase()}</span>
        </Button>
      ) : null}
    </Section>
  )
}

const Disk = ({ embeddings, links, size }: Statistics) => (
  <Section class="chart" title="On disk">
    <Bars
      what="Part"
      unit="Size"
      bars={[
        { name: "Library (library.db)", value: size.database, text: sizeText(size.database) },
        { name: "of which vectors", value: size.vectors, text: sizeText(size.vectors) },
        { name: "of which kept pages", value: size.pages, text: sizeText(size.pages) },
        {
          name: "of which pictures of pages",
          value: size.pagePictures,
          text: `${sizeText(size.pagePictures)} of at most ${sizeText(size.pagePicturesLimit)}`
        },
        { name: "Previews and icons", value: size.pictures, text: sizeText(size.pictures) }
      ]}
    />
    <p>
      {embeddings.done.toLocaleString("en")} of {count(links, "link")} can be found by meaning
      {embeddings.waiting === 0 ? "." : `; ${embeddings.waiting.toLocaleString("en")} are waiting for it.`}
    </p>
    <progress
      aria-label="Links that can be found by meaning"
      max={Math.max(1, links)}
      value={embeddings.done}
    />
    <p class="hint">Embedder: {embeddings.embedder}</p>
  </Section>
)

interface KeptPagesProps extends Pick<Statistics, "pages" | "size"> {
  readonly onForgotten: () => void
}

const KeptPages = ({ onForgotten, pages, size }: KeptPagesProps) => {
  const job = keepingJob.value
  const forget = async () => {
    try {
      const { forgotten } = await api.forgetPages()
      tell(`Deleted the copies of ${count(forgotten, "page")}.`)
      onForgotten()
    } catch (error) {
      tellFailure("The copies were not deleted.", error)
    }
  }
  const askToForget = () =>
    ask({
      title: `Delete the copies of ${count(pages.kept, "page")}?`,
      text: "This cannot be undone: the copies, their earlier versions and their pictures are deleted. The links stay.",
      confirm: "Delete the copies",
      run: () => void forget()
    })
  return (
    <Section
      class="chart"
      title="Kept pages"
      hint="Copies of your links’ pages, to read here when the pages are gone."
    >
      <p>
        {count(pages.kept, "page")} kept
        {pages.versions === 0 ? "" : `, with ${count(pages.versions, "earlier version")}`}:{" "}
        {sizeText(size.pages)}
        {size.pagePictures === 0 ? "" : `, and ${sizeText(size.pagePictures)} of pictures`}.
      </p>
      {job === undefined ? (
        pages.missing === 0 ? null : (
          <p>
            <Button needsService onClick={() => void keepPages()}>
              Keep the pages of {count(pages.missing, "more link")}
            </Button>
          </p>
        )
      ) : (
        <p class="row hint read-pages">
          <span>{progressOf(job)}</span> <PauseButton job={job} />
        </p>
      )}
      {pages.kept === 0 ? null : (
        <p>
          <Button kind="quiet" needsService onClick={askToForget}>
            Delete all copies…
          </Button>
        </p>
      )}
    </Section>
  )
}

const Shown = ({ of, onForgotten }: { readonly of: Statistics; readonly onForgotten: () => void }) => {
  const { categories, collections, sites, tags } = of.top
  const idOf = new Map(collections.map(({ id, name }) => [name, id]))
  return (
    <>
      <TileList tiles={tilesOf(of)} />
      <Section class="chart" title="Saved per week" hint="The last 52 weeks; the rightmost is this week.">
        <WeeksChart weeks={of.weeks} />
      </Section>
      <div class="charts">
        <Top
          title="Sites"
          what="Site"
          names={sites.map(({ count, name }) => ({ count, name: readableHost(name) }))}
          hrefOfName={(name) => hrefOf({ q: `site:${name}` })}
        />
        <Top title="Tags" what="Tag" names={tags} hrefOfName={(tag) => hrefOf({ q: "", tag })} />
        <Top
          title="Categories"
          what="Category"
          names={categories}
          hrefOfName={(category) => hrefOf({ q: "", category })}
        />
        <Top
          title="Collections"
          what="Collection"
          names={collections}
          hrefOfName={(name) => hrefOf({ q: "", collection: idOf.get(name) ?? "none" })}
        />
        <Disk {...of} />
        <KeptPages {...of} onForgotten={onForgotten} />
      </div>
    </>
  )
}

/** The page with the library in numbers, as charts that also read as tables. */
export const StatisticsPage = () => {
  const { problem, reload, value: statistics } = useLoaded(api.statistics)
  const load = () => void reload()
  if (problem !== "")
    return (
      <Notice
        heading="h1"
        title="The statistics could not be loaded"
        actions={<Button onClick={load}>Try again</Button>}
      >
        {problem}
      </Notice>
    )
  return (
    <article class="statistics page stack">
      <PageHeader page="statistics" />
      {statistics === undefined ? (
        <p role="status">Counting…</p>
      ) : (
        <Shown of={statistics} onForgotten={load} />
      )}
    </article>
  )
}
