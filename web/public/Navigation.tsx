/** @jsxImportSource preact */
/** A part of the public list, and the number of links in it. */
export interface Part {
  readonly href: string
  readonly name: string
  readonly count: number
}

/** Maximum number of parts of a kind shown at once; a longer list is collapsed. */
const MAX_UNFOLDED = 16

interface Props {
  readonly label: string
  /** The address of the current view, from its first page. */
  readonly here: string
  readonly parts: ReadonlyArray<Part>
  /** Shown before the parts, and not counted with them. */
  readonly whole?: ReadonlyArray<Part>
}

/** Links to the parts of the public list of one kind; renders nothing without parts. */
export const Navigation = ({ here, label, parts, whole = [] }: Props) => {
  if (parts.length === 0) return null
  const list = (
    <ul>
      {[...whole, ...parts].map(({ count, href, name }) => (
        <li key={href}>
          <a class="badge" href={href} aria-current={href === here ? "page" : undefined}>
            <bdi>{name}</bdi> <span class="entry-count">{count.toLocaleString("en")}</span>
          </a>
        </li>
      ))}
    </ul>
  )
  return (
    <nav class="public-nav" aria-label={label}>
      {parts.length <= MAX_UNFOLDED ? (
        list
      ) : (
        <details>
          <summary>
            {parts.length.toLocaleString("en")} {label.toLowerCase()}
          </summary>
          {list}
        </details>
      )}
    </nav>
  )
}
