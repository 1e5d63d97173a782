import { useEffect } from "preact/hooks"
import { open } from "../state/dialogs.ts"
import { meta, refreshMeta } from "../state/meta.ts"
import { AddForm } from "./AddForm.tsx"
import { Bookmarklet } from "./Bookmarklet.tsx"
import { FirstRunBot } from "./FirstRunBot.tsx"
import { FirstRunExtension, FirstRunScript } from "./FirstRunExtension.tsx"
import { Step } from "./FirstRunStep.tsx"
import { Icon } from "./Icon.tsx"

/** Polling interval for the state of the set-up, in milliseconds. */
const LOOK = 3_000

const empty = { url: "", note: "", title: "" }

const ImportPanel = () => (
  <section class="panel import-panel" aria-label="Import a file">
    <p>
      Import your links from a browser, Pocket, Raindrop, Karakeep and others. Export a file there, then
      choose it here or <b>drop it anywhere on this page</b>.
    </p>
    <button type="button" class="button" onClick={() => open({ kind: "import" })}>
      <Icon name="upload" />
      Import a file…
    </button>
  </section>
)

const Others = () => (
  <Step title="From any browser, or your phone’s share menu" done={false}>
    <p>
      <b>On a computer</b>, drag this to your bookmarks bar. Clicking it on any page opens a small window with
      the address filled in; selected text becomes the note.
    </p>
    <Bookmarklet />
    <p>
      <b>On an Android phone</b>, open this page in Chrome or Edge and choose “Add to Home screen” or “Install
      app” from the browser’s menu. Linkbower then appears in the share menu.
    </p>
  </Step>
)

/** The first-run page of an empty library: the ways to add links, with their state. */
export const FirstRun = () => {
  const setup = meta.value?.setup
  useEffect(() => {
    const timer = setInterval(() => document.hidden || refreshMeta(), LOOK)
    return () => clearInterval(timer)
  }, [])
  if (setup === undefined) return null
  const base = (setup.publicUrl ?? location.origin).replace(/\/+$/, "")
  return (
    <div class="first-run">
      <header>
        <h2>Your library is empty</h2>
        <p>
          Save your first link here, import existing ones, or set up other ways to add links. New links appear
          here automatically.
        </p>
      </header>
      <section class="panel" aria-label="Add a link">
        <AddForm
          initial={empty}
          after={(again) => (
            <button type="button" class="button" onClick={again}>
              Add another
            </button>
          )}
        />
      </section>
      <ImportPanel />
      <FirstRunBot base={base} setup={setup} />
      <FirstRunExtension base={base} setup={setup} />
      <Others />
      <FirstRunScript base={base} setup={setup} />
    </div>
  )
}
