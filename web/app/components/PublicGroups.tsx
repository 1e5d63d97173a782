import { collectionHref, listHref, ranked, type Shown, shown } from "../state/publicList.ts"
import { CardBody } from "./CardBody.tsx"
import { Favicon } from "./Favicon.tsx"
import type { Places } from "./Labels.tsx"
import { Preview } from "./Preview.tsx"

const places: Places = {
  category: (category) => listHref({ category }),
  tag: (tag) => listHref({ tag }),
  collection: (collection) => collectionHref(typeof collection === "string" ? collection : collection.name)
}

const pictureOf = (kind: "image" | "favicon", url: string | null) =>
  url === null ? null : `/list/${kind}?${new URLSearchParams({ url })}`

const PublicCard = ({ link, marks }: Shown) => {
  const image = pictureOf("image", link.image)
  const favicon = pictureOf("favicon", link.favicon)
  return (
    <article class="card" data-density="cards" data-public>
      <span class="card-select">
        <Favicon key={favicon} src={favicon} host={link.host} />
      </span>
      <CardBody link={link} heading="h3" marks={marks} places={places} />
      {image === null ? null : <Preview key={image} src={image} />}
    </article>
  )
}

/** The links by collection, in their order. */
const groupsOf = (all: ReadonlyArray<Shown>) => [...Map.groupBy(all, ({ link }) => link.collection)]

interface GroupProps {
  readonly id: string
  readonly heading: string
  readonly links: ReadonlyArray<Shown>
}

const Group = ({ heading, id, links }: GroupProps) => (
  <section class="public-group" id={id}>
    <h2 dir="auto">{heading}</h2>
    <ol>
      {links.map((one) => (
        <li key={one.link.url}>
          <PublicCard {...one} />
        </li>
      ))}
    </ol>
  </section>
)

/** The shared links, grouped by collection; the results of a search are one group. */
export const PublicGroups = () =>
  ranked.value ? (
    <Group id="found" heading="Found" links={shown.value} />
  ) : (
    groupsOf(shown.value).map(([name, links]) => (
      <Group
        key={name ?? ""}
        id={name === null ? "unfiled" : `collection-${encodeURIComponent(name)}`}
        heading={name ?? "More links"}
        links={links}
      />
    ))
  )
