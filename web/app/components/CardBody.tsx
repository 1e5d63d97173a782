/** @jsxImportSource preact */

import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { UNSORTED } from "../../../src/shared/Category.ts"
import { count, durationText } from "../../../src/shared/Format.ts"
import { readableAddress, readableHost, readableTitle } from "../../../src/shared/HostName.ts"
import { isHttpUrl, withoutWww } from "../../../src/shared/WebAddress.ts"
import type { Highlights, Link, PublicLink } from "../api.ts"
import { externalLink } from "../externalLink.ts"
import type { Layout } from "../state/preferences.ts"
import { Highlighted } from "./Highlighted.tsx"
import { Icon } from "./Icon.tsx"
import { Note } from "./Note.tsx"
import { Age, Day } from "./Times.tsx"

/** The attributes of a label's link: the address that a click leads to, and with Alt, if that differs. */
interface LabelLink {
  readonly href: string
  readonly "data-alone"?: string
}

/** Returns where each label of a link leads to. */
export interface LabelLinks {
  readonly category: (name: string) => LabelLink
  readonly tag: (name: string) => LabelLink
  readonly collection: (collection: NonNullable<(Link | PublicLink)["collection"]>) => LabelLink
}

interface LabelsProps {
  readonly link: Pick<Link | PublicLink, "category" | "collection" | "tags">
  readonly marks: Highlights | undefined
  readonly labelLinks: LabelLinks
  /** How many tags to show at first; a button shows the others. */
  readonly maxTags: number
}

/** A link's category, collection and tags, each linked to the links that share it. */
const Labels = ({ labelLinks, link, marks, maxTags }: LabelsProps) => {
  const [isWhole, setWhole] = useState(false)
  const tags = link.tags.map((tag, at) => ({
    tag,
    ranges: marks?.tags?.filter(([index]) => index === at).map(([, start, end]) => [start, end] as const)
  }))
  // A tag that was searched for is among the shown ones.
  const ordered = [
    ...tags.filter(({ ranges = [] }) => ranges.length > 0),
    ...tags.filter(({ ranges = [] }) => ranges.length === 0)
  ]
  const shown = isWhole || tags.length <= maxTags ? tags : ordered.slice(0, maxTags)
  const hidden = tags.length - shown.length
  return (
    <ul class="card-labels">
      {link.category === UNSORTED ? null : (
        <li>
          <a class="badge" data-kind="category" {...labelLinks.category(link.category)} dir="auto">
            {link.category}
          </a>
        </li>
      )}
      {link.collection === null ? null : (
        <li>
          <a class="badge" {...labelLinks.collection(link.collection)} dir="auto">
            <Icon name="folder" />
            {typeof link.collection === "string" ? link.collection : link.collection.name}
          </a>
        </li>
      )}
      {shown.map(({ ranges, tag }) => (
        <li key={tag}>
          <a class="card-tag" {...labelLinks.tag(tag)} dir="auto">
            #
            <Highlighted text={tag} ranges={ranges} />
          </a>
        </li>
      ))}
      {hidden === 0 || maxTags === 0 ? null : (
        <li>
          <button
            type="button"
            class="card-tag"
            title={link.tags.map((tag) => `#${tag}`).join(" ")}
            onClick={() => setWhole(true)}
          >
            +{hidden}
            <span class="visually-hidden"> more tags</span>
          </button>
        </li>
      )}
    </ul>
  )
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })

/** A repository's stars, language and licence. */
const Repository = ({ repository }: { readonly repository: NonNullable<Link["repository"]> }) => {
  const { archived, language, license, stars } = repository
  const facts = [language, license, archived ? "archived" : null].filter((fact) => fact !== null)
  return (
    <>
      <span title={`${stars.toLocaleString("en")} stars`}>
        <span aria-hidden="true">★</span>
        <span class="visually-hidden">Stars:</span> {compact.format(stars)}
      </span>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </>
  )
}

/** What tells before a click what a link costs: money, time, pages. */
const Costs = ({ facts }: { readonly facts: Link["facts"] }) => {
  const { duration, pages, paywall, price } = facts
  return (
    <>
      {paywall ? <span title="Only subscribers can read all of it">Paywall</span> : null}
      {duration === undefined ? null : (
        <span>
          <span class="visually-hidden">Length: </span>
          {durationText(duration)}
        </span>
      )}
      {pages === undefined ? null : <span>{count(pages, "page")}</span>}
      {price === undefined ? null : <span>{price}</span>}
    </>
  )
}

/** A stage of a link's enrichment. */
interface Stage {
  readonly stage: "page" | "repository" | "model"
  readonly state: "done" | "waiting" | "failed"
  readonly reason: string | null
}

/** A link as a card shows it; fields that the public list does not have are optional. */
export type CardLink = (Link | PublicLink) &
  Partial<Pick<Link, "note" | "repository" | "enrichment" | "facts" | "check">> & {
    readonly stages?: ReadonlyArray<Stage>
  }

const textOf = (link: CardLink) => link.summary || link.description

/** Whether a link has only its host's name as a title. */
const hasBareTitle = ({ host, title }: CardLink) =>
  withoutWww(URL.parse(`http://${title}`)?.hostname ?? title) === withoutWww(host).replace(/:\d+$/, "")

/** A sentence on a page that has not been read. */
interface ReadingProgress {
  readonly text: string
  readonly failed: boolean
}

/** Says why a link's page has not been read; undefined if it has. */
export const progressOf = (link: CardLink): ReadingProgress | undefined => {
  const page = link.stages?.find(({ stage }) => stage === "page")
  const because = (text: string, reason: string | null | undefined) =>
    reason ? `${text}: ${reason.replace(/[.…]?$/, ".")}` : `${text}.`
  if (link.enrichment === "pending" || page?.state === "waiting")
    return {
      text: page?.reason ? because("Waiting to read the page", page.reason) : "Reading the page…",
      failed: false
    }
  // Links of earlier versions have no stages: one that has only its host's name must have lost its page.
  const isBare = page === undefined && link.enrichment === "partial" && hasBareTitle(link)
  return page?.state === "failed" || (isBare && textOf(link) === "")
    ? { text: because("The page could not be read", page?.reason), failed: true }
    : undefined
}

/** An address without what all addresses have. */
const shortAddress = (url: string) =>
  readableAddress(url)
    .replace(/^https?:\/\//, "")
    .replace(/\/$/, "")

interface Props {
  readonly link: CardLink
  readonly marks: Highlights | undefined
  /** The heading level of the title. */
  readonly heading: "h2" | "h3"
  readonly labelLinks: LabelLinks
  /** How much of the link is shown; all of it by default. */
  readonly layout?: Layout
  /** Whether another shown link has the same title and host. */
  readonly hasTwin?: boolean
  /** Whether to show when the link was saved as an age or, on a page that scripts do not update, as a day. */
  readonly saved?: "age" | "day"
  /** Shown after the host and the age. */
  readonly aside?: ComponentChildren
}

const MAX_TAGS: Readonly<Record<Layout, number>> = { cards: 3, rows: 0, grid: 2 }

/** The texts of a card: the summary or a place for one that is awaited, then the words found and the note. */
const Texts = ({ link, marks }: Pick<Props, "link" | "marks">) => {
  const text = textOf(link)
  return (
    <>
      {text === "" ? (
        progressOf(link)?.failed === false && <p class="card-waiting" aria-hidden="true" />
      ) : (
        <p class="card-summary clamp" dir="auto" {...(link.summary === "" ? { "data-voice": "page" } : {})}>
          <Highlighted text={text} ranges={link.summary === "" ? marks?.description : marks?.summary} />
        </p>
      )}
      {marks?.excerpt === undefined ? null : (
        <p class="card-excerpt clamp" dir="auto">
          {marks.excerpt.from === undefined ? null : <span class="hint">Highlight: </span>}
          <Highlighted text={marks.excerpt.text} ranges={marks.excerpt.ranges} />
        </p>
      )}
      {link.note ? <Note key={link.note} note={link.note} ranges={marks?.note} /> : null}
    </>
  )
}

const checkMarks: Partial<Record<Link["check"]["state"], string>> = {
  broken: "Gone",
  moved: "Moved",
  changed: "Changed"
}

/** Says that the page behind a link is not where it was. */
const CheckMark = ({ check: { reason, state, to } }: { readonly check: Link["check"] }) => {
  const text = checkMarks[state]
  return text === undefined ? null : (
    <span class="card-check" data-state={state} title={reason ?? to ?? undefined}>
      {text}
    </span>
  )
}

/** The content of a link's card, in the dashboard and on the public list. */
export const CardBody = (props: Props) => {
  const { aside, hasTwin = false, heading: Heading, labelLinks, layout, link, marks, saved = "age" } = props
  const shownTitle = readableTitle(link)
  const title = (
    <Highlighted text={shownTitle} ranges={shownTitle === link.title ? marks?.title : undefined} />
  )
  const isWeb = isHttpUrl(link.url)
  const showsPath = isWeb && (hasTwin || hasBareTitle(link))
  return (
    <div class="card-body">
      <Heading class="card-title" dir="auto">
        {isWeb ? (
          <a class="plain" {...externalLink(link.url)}>
            {title}
          </a>
        ) : (
          title
        )}
      </Heading>
      <p class="card-source">
        {link.check === undefined ? null : <CheckMark check={link.check} />}
        <span class="card-host">{showsPath ? shortAddress(link.url) : readableHost(link.host)}</span>{" "}
        {saved === "day" ? <Day of={link.createdAt} /> : <Age of={link.createdAt} />}
        {aside}
        {link.facts === undefined ? null : <Costs facts={link.facts} />}
        {link.repository && layout !== "rows" ? <Repository repository={link.repository} /> : null}
      </p>
      {layout === "rows" || layout === "grid" ? null : <Texts {...props} />}
      <Labels
        link={link}
        marks={marks}
        labelLinks={labelLinks}
        maxTags={layout === undefined ? Number.POSITIVE_INFINITY : MAX_TAGS[layout]}
      />
    </div>
  )
}
