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

interface DownloadsProps {
  readonly files: ReadonlyArray<{ readonly name: string; readonly use: string; readonly href: string }>
  /** Whether the first one gets the focus. */
  readonly isFirst?: boolean
}

const Downloads = ({ files, isFirst = false }: DownloadsProps) => (
  <ul class="exports">
    {files.map(({ href, name, use }, at) => (
      <li key={name}>
        <a
          class="menu-item"
          href={href}
          download
          {...(isFirst && at === 0 ? { "data-autofocus": true } : {})}
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
)

const Everything = () => {
  const filters = currentFilters()
  const params = paramsOf(filters).toString()
  const query = params === "" ? "" : `?${params}`
  return (
    <>
      <p>{meta.value === null ? "All links" : `All ${count(meta.value.total, "link")}`}, in one file.</p>
      <Downloads
        isFirst
        files={formats.map(({ format, ...file }) => ({
          ...file,
          href: `/dashboard/api/export?format=${format}`
        }))}
      />
      <p>
        {isNarrowed(filters)
          ? "The kept pages of the links in this list:"
          : "The kept pages, to be read elsewhere:"}
      </p>
      <Downloads
        files={books.map(({ ending, ...file }) => ({
          ...file,
          href: `/dashboard/api/books.${ending}${query}`
        }))}
      />
    </>
  )
}

/** The dialog to download the whole library, or the kept pages of a list, in a chosen format. */
export const ExportDialog = () => (
  <Dialog title="Export" onClose={close}>
    {meta.value?.total === 0 ? <p>There is nothing to export yet.</p> : <Everything />}
  </Dialog>
)
