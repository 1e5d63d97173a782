/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { dayText } from "../../../src/shared/Format.ts"
import { isHttpUrl } from "../../../src/shared/WebAddress.ts"
import { ageOf, timeOf } from "../age.ts"
import type { Highlights, Link, PublicLink } from "../api.ts"
import { externalLink } from "../externalLink.ts"
import { Highlighted } from "./Highlighted.tsx"
import { Icon } from "./Icon.tsx"

/** Returns the address that each label of a link leads to. */
export interface LabelLinks {
  readonly category: (name: string) => string
  readonly tag: (name: string) => string
  readonly collection: (collection: NonNullable<(Link | PublicLink)["collection"]>) => string
}

interface LabelsProps {
  readonly link: Pick<Link | PublicLink, "category" | "collection" | "tags">
  readonly marks: Highlights | undefined
  readonly labelLinks: LabelLinks
}

/** A link's category, collection and tags, each linked to the links that share it. */
const Labels = ({ labelLinks, link, marks }: LabelsProps) => (
  <ul class="card-labels">
    <li>
      <a class="badge" data-kind="category" href={labelLinks.category(link.category)} dir="auto">
        {link.category}
      </a>
    </li>
    {link.collection === null ? null : (
      <li>
        <a class="badge" href={labelLinks.collection(link.collection)} dir="auto">
          <Icon name="folder" />
          {typeof link.collection === "string" ? link.collection : link.collection.name}
        </a>
      </li>
    )}
    {link.tags.map((tag, at) => (
      <li key={tag}>
        <a class="card-tag" href={labelLinks.tag(tag)} dir="auto">
          #
          <Highlighted
            text={tag}
            ranges={marks?.tags
              ?.filter(([index]) => index === at)
              .map(([, start, end]) => [start, end] as const)}
          />
        </a>
      </li>
    ))}
  </ul>
)

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })

/** A repository's language, stars and licence. */
const Repository = ({ repository }: { readonly repository: NonNullable<Link["repository"]> }) => {
  const { archived, language, license, stars } = repository
  const facts = [language, license, archived ? "archived" : null].filter((fact) => fact !== null)
  return (
    <p class="card-repository">
      <span title={`${stars.toLocaleString("en")} stars`}>
        <span aria-hidden="true">★</span>
        <span class="visually-hidden">Stars:</span> {compact.format(stars)}
      </span>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  )
}

interface Props {
  readonly link: (Link | PublicLink) & Partial<Pick<Link, "note" | "repository" | "enrichment">>
  readonly marks: Highlights | undefined
  /** The heading level of the title. */
  readonly heading: "h2" | "h3"
  readonly labelLinks: LabelLinks
  /** Whether to show when the link was saved as an age or, on a page that scripts do not update, as a day. */
  readonly saved?: "age" | "day"
  /** Shown after the host and the age. */
  readonly aside?: ComponentChildren
}

/** The content of a link's card, in the dashboard and on the public list. */
export const CardBody = ({ aside, heading: Heading, labelLinks, link, marks, saved = "age" }: Props) => {
  const pending = link.enrichment === "pending"
  const text = link.summary || link.description
  const title = <Highlighted text={link.title} ranges={marks?.title} />
  return (
    <div class="card-body">
      <Heading class="card-title" dir="auto">
        {isHttpUrl(link.url) ? <a {...externalLink(link.url)}>{title}</a> : title}
      </Heading>
      <p class="card-source">
        <span>{link.host}</span>{" "}
        {saved === "day" ? (
          <time dateTime={link.createdAt}>{dayText(link.createdAt)}</time>
        ) : (
          <time dateTime={link.createdAt} title={timeOf(link.createdAt)}>
            {ageOf(link.createdAt)}
          </time>
        )}
        {aside}
      </p>
      {pending ? (
        <p class="card-summary" data-pending>
          <span class="visually-hidden">The page is being read.</span>
        </p>
      ) : text === "" ? null : (
        <p class="card-summary" dir="auto" {...(link.summary === "" ? { "data-voice": "page" } : {})}>
          <Highlighted text={text} ranges={link.summary === "" ? marks?.description : marks?.summary} />
        </p>
      )}
      {marks?.excerpt === undefined ? null : (
        <p class="card-excerpt" dir="auto">
          <Highlighted text={marks.excerpt.text} ranges={marks.excerpt.ranges} />
        </p>
      )}
      {link.note ? (
        <p class="card-note" dir="auto">
          <Highlighted text={link.note} ranges={marks?.note} />
        </p>
      ) : null}
      {link.repository ? <Repository repository={link.repository} /> : null}
      <Labels link={link} marks={marks} labelLinks={labelLinks} />
    </div>
  )
}
