/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { isHttpUrl } from "../../../src/shared/WebAddress.ts"
import { ageOf, dayOf, timeOf } from "../age.ts"
import type { Highlights, Link, PublicLink } from "../api.ts"
import { outward } from "../href.ts"
import { Highlighted } from "./Highlighted.tsx"
import { Labels, type Places } from "./Labels.tsx"
import { Repository } from "./Repository.tsx"

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
