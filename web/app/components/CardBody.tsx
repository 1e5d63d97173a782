/** @jsxImportSource preact */
import type { Highlights, Link, PublicLink } from "../api.ts"
import { Highlighted } from "./Highlighted.tsx"
import { Icon } from "./Icon.tsx"
import type { ComponentChildren } from "preact"
import { isHttpUrl } from "../../../src/shared/HttpUrl.ts"
import { ageOf, dayOf, timeOf } from "../age.ts"
import { outward } from "../href.ts"

/** The addresses that a link's labels lead to. */
export interface Places {
  readonly category: (name: string) => string
  readonly tag: (name: string) => string
  readonly collection: (collection: NonNullable<(Link | PublicLink)["collection"]>) => string
}

interface Props {
  readonly link: Pick<Link | PublicLink, "category" | "collection" | "tags">
  readonly marks: Highlights | undefined
  readonly places: Places
}

/** Category, collection and tags of a link; each leads to its like. */
export const Labels = ({ link, marks, places }: Props) => (
  <ul class="card-labels">
    <li>
      <a class="badge" data-kind="category" href={places.category(link.category)} dir="auto">
        {link.category}
      </a>
    </li>
    {link.collection === null ? null : (
      <li>
        <a class="badge" href={places.collection(link.collection)} dir="auto">
          <Icon name="folder" />
          {typeof link.collection === "string" ? link.collection : link.collection.name}
        </a>
      </li>
    )}
    {link.tags.map((tag, at) => (
      <li key={tag}>
        <a class="card-tag" href={places.tag(tag)} dir="auto">
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
export const Repository = ({ repository }: { readonly repository: NonNullable<Link["repository"]> }) => {
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
  /** The level of its title among the page's headings. */
  readonly heading: "h2" | "h3"
  /** Where the labels lead. */
  readonly places: Places
  /** Whether the time of saving is given as an age, or as a day, which a page that is not updated needs. */
  readonly saved?: "age" | "day"
  /** Beside host and age. */
  readonly aside?: ComponentChildren
}

/** What a card says of a link, for its owner and for anybody. */
export const CardBody = ({ aside, heading: Heading, link, marks, places, saved = "age" }: Props) => {
  const pending = link.enrichment === "pending"
  const text = link.summary || link.description
  const title = <Highlighted text={link.title} ranges={marks?.title} />
  return (
    <div class="card-body">
      <Heading class="card-title" dir="auto">
        {isHttpUrl(link.url) ? <a {...outward(link.url)}>{title}</a> : title}
      </Heading>
      <p class="card-source">
        <span>{link.host}</span>{" "}
        {saved === "day" ? (
          <time dateTime={link.createdAt}>{dayOf(link.createdAt)}</time>
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
      <Labels link={link} marks={marks} places={places} />
    </div>
  )
}
