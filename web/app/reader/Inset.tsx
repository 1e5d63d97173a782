import { useState } from "preact/hooks"
import type { Link } from "../api.ts"
import { Document } from "./Document.tsx"
import { readerFrame } from "./frame.ts"
import { parts } from "./parts.ts"
import { shownPaper } from "./settings.ts"

/** A link's kept page within other content, without the bar of the reader. */
export const Inset = ({ link }: { readonly link: Link }) => {
  const [isMissing, setMissing] = useState(false)
  const frame = readerFrame.value
  if (isMissing) return <p class="hint">The page could not be loaded.</p>
  return (
    <div class="reader-inset" data-paper={shownPaper.value}>
      <Document id={link.id} version={undefined} title={link.title} onMissing={() => setMissing(true)} />
      {parts.map(({ Layer, name }) =>
        Layer === undefined ? null : <Layer key={name} link={link} frame={frame} />
      )}
    </div>
  )
}
