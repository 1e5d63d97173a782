import { fieldNames } from "../../../src/shared/FieldNames.ts"
import type { WholeLink } from "../api.ts"
import { named } from "../state/changes.ts"
import { undoJob } from "../state/history.ts"
import { known } from "../state/wholeLink.ts"
import { Button } from "./Button.tsx"
import { Age } from "./Times.tsx"

type Entry = WholeLink["history"][number]

/** The fields that follow from a change of others, or that people do not know of. */
const isHidden = (field: Entry["fields"][number]) => field === "refused" || field === "inShared"

const listed = new Intl.ListFormat("en")

const authors: Readonly<Record<string, string>> = {
  owner: "You",
  bot: "You, in the chat,",
  extension: "The extension",
  import: "An import",
  job: "Linkbower",
  rule: "A rule"
}

const textOf = ({ author, fields, kind }: Entry) => {
  const name = authors[author] ?? `The program “${author.slice("token:".length)}”`
  if (kind === "save") return `${name} saved it`
  const known = fields.filter((field) => !isHidden(field)).map((field) => fieldNames[field])
  const what = known.length === 0 ? "place" : listed.format(known)
  return `${name} changed its ${what}`
}

/** The changes of a link, folded, the latest first; each can be undone while the service remembers it. */
export const LinkHistory = ({ id }: { readonly id: number }) => {
  const history = known.value?.id === id ? (known.value.whole?.history ?? []) : []
  if (history.length === 0) return null
  return (
    <details class="fold detail-text">
      <summary>
        Changes <span class="hint">{history.length.toLocaleString("en")}</span>
      </summary>
      <ul>
        {history.map((entry) => (
          <li key={entry.token} class="spread">
            <span>
              {textOf(entry)}{" "}
              <span class="hint">
                <Age of={entry.at} />
              </span>
            </span>
            {entry.undoable ? (
              <Button
                class="link-button"
                needsService
                onClick={() => void undoJob(`${textOf(entry)} of ${named([id])}`, entry.token)}
              >
                Undo<span class="visually-hidden"> {textOf(entry)}</span>
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </details>
  )
}
