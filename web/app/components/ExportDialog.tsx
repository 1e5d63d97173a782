import { count } from "../../../src/shared/Format.ts"
import { close, dialog } from "../state/dialogs.ts"
import { meta } from "../state/meta.ts"
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

/** The dialog to download the whole library in a chosen format. */
export const ExportDialog = () =>
  dialog.value?.kind === "export" ? (
    <Dialog label="Export" class="job-dialog" onClose={close}>
      <h2>Export</h2>
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
      <div class="dialog-actions">
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  ) : null
