import { useState } from "preact/hooks"
import { api, type Highlight, type Link } from "../api.ts"
import { meta } from "../state/meta.ts"
import { highlightHref } from "../state/route.ts"
import { HighlightDialog, HighlightItem } from "./HighlightItem.tsx"
import { useLoaded } from "./useLoaded.tsx"

/** The highlights of a link, in its details; those that its page no longer has come last. */
export const LinkHighlights = ({ link }: { readonly link: Link }) => {
  const [edited, setEdited] = useState<Highlight | null>(null)
  // Without an answer, the next change of the link asks once more.
  const { reload, value: all = [] } = useLoaded(
    async () => (link.highlights === 0 ? [] : api.highlightsOf(link.id)),
    [link.highlights, link.updatedAt, meta.value]
  )
  if (all.length === 0) return null
  const groups = [
    { title: undefined, found: all.filter(({ isLost }) => !isLost) },
    { title: "No longer in the text", found: all.filter(({ isLost }) => isLost) }
  ]
  return (
    <section class="detail-section">
      <h3>Highlights</h3>
      {groups.map(({ found, title }) =>
        found.length === 0 ? null : (
          <div key={title ?? ""}>
            {title === undefined ? null : <h4 class="hint">{title}</h4>}
            <ul class="stack">
              {found.map((highlight) => (
                <HighlightItem key={highlight.id} highlight={highlight} onEdit={() => setEdited(highlight)}>
                  {link.kept ? <a href={highlightHref(highlight)}>{highlight.quote}</a> : highlight.quote}
                </HighlightItem>
              ))}
            </ul>
          </div>
        )
      )}
      {edited === null ? null : (
        <HighlightDialog
          highlight={edited}
          onClose={() => {
            setEdited(null)
            void reload()
          }}
        />
      )}
    </section>
  )
}
