import { asked, listHref } from "../state/publicList.ts"

/** A part of the public list, and how many links it holds. */
export interface Part {
  readonly href: string
  readonly name: string
  readonly count: number
}

/** How many parts are named at once; more of them unfold. */
const OPEN = 16

/** Ways into the public list, of one kind. */
export const PublicNavigation = ({
  label,
  parts,
  whole = []
}: {
  readonly label: string
  readonly parts: ReadonlyArray<Part>
  /** What stands before them, whatever their number. */
  readonly whole?: ReadonlyArray<Part>
}) => {
  if (parts.length === 0) return null
  const here = listHref(Object.fromEntries(asked.value))
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
      {parts.length <= OPEN ? (
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
