/** @jsxImportSource preact */
import type { Link } from "../api.ts"

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
