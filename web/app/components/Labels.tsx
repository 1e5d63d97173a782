/** @jsxImportSource preact */
import type { Highlights, Link, PublicLink } from "../api.ts"
import { Highlighted } from "./Highlighted.tsx"
import { Icon } from "./Icon.tsx"

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
