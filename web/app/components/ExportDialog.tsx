import { count } from "../../../src/shared/Format.ts"
import { close } from "../state/dialogs.ts"
import { meta } from "../state/meta.ts"
import { currentFilters, isNarrowed, paramsOf } from "../state/route.ts"
import { Dialog } from "./Dialog.tsx"
import { Icon } from "./Icon.tsx"

const formats = [
  {
    format: "json",
    name: "JSON",
    use: "Complete. Importing it recreates this library exactly."
  },
  { format: "html", name: "HTML", use: "Bookmarks for browsers and other programs." },
  { format: "csv", name: "CSV", use: "A table for spreadsheets." }
] as const

const books = [
  { ending: "epub", name: "EPUB", use: "One book for e-readers, of up to 200 articles." },
  { ending: "md", name: "Markdown", use: "A zip with a file for each of up to 200 articles." }
] as const

/** The kept pages of the links that the list shows, or of all links outside a list. */
const KeptPages = () => {
  const filters = currentFilters()
  const params = paramsOf(filters).toString()
  return (
    <>
      <p>
        {isNarrowed(filters)
          ? "The kept pages of the links in this list:"
          : "The kept pages, to be read elsewhere:"}
      </p>
      <ul class="exports">
        {books.map(({ ending, name, use }) => (
          <li key={ending}>
            <a href={`/dashboard/api/books.${ending}${params === "" ? "" : `?${params}`}`} download>
              <Icon name="download" />
              <span>
                <b>{name}</b>
                <span class="hint">{use}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

const Everything = () => (
  <>
    <p>{meta.value === null ? "All links" : `All ${count(meta.value.total, "link")}`}, in one file.</p>
    <ul class="exports">
      {formats.map(({ format, name, use }, at) => (
        <li key={format}>
          <a
            href={`/dashboard/api/export?format=${format}`}
            download
            {...(at === 0 ? { "data-autofocus": true } : {})}
          >
            <Icon name="download" />
            <span>
              <b>{name}</b>
              <span class="hint">{use}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
    <KeptPages />
  </>
)

/** The dialog to download the whole library, or the kept pages of a list, in a chosen format. */
export const ExportDialog = () => (
  <Dialog title="Export" onClose={close}>
    {meta.value?.total === 0 ? <p>There is nothing to export yet.</p> : <Everything />}
  </Dialog>
)
