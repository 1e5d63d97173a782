/** @jsxImportSource preact */
import { collectionAddress, pageAddress, pictureAddress } from "../../src/shared/ListAddress.ts"
import type { Highlights, PublicLink } from "../app/api.ts"
import { CardBody } from "../app/components/CardBody.tsx"
import { Favicon } from "../app/components/Favicon.tsx"
import type { Places } from "../app/components/Labels.tsx"
import { Preview } from "../app/components/Preview.tsx"

/** A link with the positions of the search words in it. */
export interface Shown {
  readonly link: PublicLink
  readonly marks: Highlights | undefined
}

const places: Places = {
  category: (category) => pageAddress({ category }),
  tag: (tag) => pageAddress({ tag }),
  collection: (collection) => collectionAddress(typeof collection === "string" ? collection : collection.name)
}

const pictureOf = (kind: "image" | "favicon", url: string | null) =>
  url === null ? null : pictureAddress(kind, url)

interface CardProps extends Shown {
  readonly isLive: boolean
}

const PublicCard = ({ isLive, link, marks }: CardProps) => {
  const image = pictureOf("image", link.image)
  const favicon = pictureOf("favicon", link.favicon)
  return (
    <article class="card" data-density="cards" data-public="">
      <span class="card-select">
        <Favicon key={favicon} src={favicon} host={link.host} />
      </span>
      <CardBody link={link} heading="h3" marks={marks} places={places} saved={isLive ? "age" : "day"} />
      {image === null ? null : <Preview key={image} src={image} isDrawn={!isLive} />}
    </article>
  )
}

interface SectionProps {
  readonly id: string
  readonly heading: string
  readonly shown: ReadonlyArray<Shown>
  readonly isLive: boolean
}

const Section = ({ heading, id, isLive, shown }: SectionProps) => (
  <section class="public-group" id={id}>
    <h2 dir="auto">{heading}</h2>
    <ol>
      {shown.map(({ link, marks }) => (
        <li key={link.url}>
          <PublicCard link={link} marks={marks} isLive={isLive} />
        </li>
      ))}
    </ol>
  </section>
)

/** Returns a section's anchor, which is the same on every page and unique to the collection. */
const anchorOf = (collection: string | null): string =>
  collection === null ? "unfiled" : `collection-${encodeURIComponent(collection.toWellFormed())}`

interface Props {
  readonly shown: ReadonlyArray<Shown>
  /** Whether links are ordered by relevance rather than by collection. */
  readonly ranked: boolean
  /** Whether scripts keep the page up to date. */
  readonly isLive: boolean
}

/** The shared links: the results of a search in one section, all others in one section per collection. */
export const Links = ({ isLive, ranked, shown }: Props) =>
  ranked ? (
    <Section id="found" heading="Found" shown={shown} isLive={isLive} />
  ) : (
    [...Map.groupBy(shown, ({ link }) => link.collection)].map(([collection, group]) => (
      <Section
        key={collection ?? ""}
        id={anchorOf(collection)}
        heading={collection ?? "More links"}
        shown={group}
        isLive={isLive}
      />
    ))
  )
