import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import type { Meta } from "../api.ts"
import { open } from "../state/dialogs.ts"
import { isBotSetUp, meta, refreshMeta } from "../state/meta.ts"
import { tell } from "../state/toasts.ts"
import { AddForm, EMPTY } from "./AddForm.tsx"
import { Button } from "./Button.tsx"
import { Command, CopyButton } from "./Command.tsx"
import { Icon } from "./Icon.tsx"

/** Maximum length of the selected text in the form's address, in UTF-16 units. */
const MAX_SELECTION = 2_000

/** The address of a bookmark that opens the form to save the current page, in a small window. */
const bookmarkletOf = (origin: string): string =>
  `javascript:(()=>{window.open(${JSON.stringify(`${origin}/dashboard/add?`)}+new URLSearchParams({url:location.href,title:document.title,text:String(getSelection()).slice(0,${MAX_SELECTION})}),"_blank","noopener,width=520,height=620")})()`

const explain = (event: Event) => {
  event.preventDefault()
  tell("Drag it to your bookmarks bar. Clicking it here does nothing.")
}

/** A bookmark to drag to the browser's bar; clicking it here does nothing, because the page's policy forbids it. */
const Bookmarklet = () => {
  const anchor = useRef<HTMLAnchorElement>(null)
  const code = bookmarkletOf(location.origin)
  useEffect(() => anchor.current?.addEventListener("click", explain), [])
  return (
    <div class="bookmarklet row">
      <a ref={anchor} class="button" href={code} title="Drag this to your bookmarks bar">
        Save to Linkbower
      </a>
      <CopyButton text={code} label="Copy its address" />
    </div>
  )
}

interface StepProps {
  readonly title: string
  readonly done: boolean
  readonly open?: boolean
  readonly children: ComponentChildren
}

/** A way to add links, with a check mark once it is set up. */
const Step = ({ children, done, open = false, title }: StepProps) => (
  <details class="step" data-done={done} name="first-run" open={open}>
    <summary class="row">
      <h2>{title}</h2>
      {done ? (
        <span class="step-done">
          <Icon name="check" /> Ready
        </span>
      ) : null}
    </summary>
    <div class="step-body stack">{children}</div>
  </details>
)

interface WayProps {
  readonly setup: Meta["setup"]
  readonly open?: boolean
}

/** The bot, which the set-up page connects. */
const BotWay = ({ open = false, setup }: WayProps) => (
  <Step title="From Telegram, with your own bot" open={open} done={isBotSetUp(setup)}>
    <p>Send a link to your own bot, from any phone, with a note if you like.</p>
    <p>
      <a class="button" href="/setup#bot">
        Set up the bot
      </a>
    </p>
  </Step>
)

/** The extension, which the set-up page connects. */
const ExtensionWay = ({ setup }: WayProps) => (
  <Step title="From your browser, with the extension" done={setup.extension}>
    <p>Save the page you are on with one click, in Chrome, Edge, Brave or Firefox.</p>
    <p>
      <a class="button" href="/setup#extension">
        Set up the extension
      </a>
    </p>
  </Step>
)

/** Instructions for saving a link from any other program, with the extension's token. */
const ScriptWay = ({ setup }: WayProps) => (
  <Step title="From a script or another program" done={setup.extension}>
    <p>
      The extension’s token lets any program save a link, and do nothing else. Run this in the folder of the
      file <code>.env</code> that has the token:
    </p>
    <Command
      text={`. ./.env; curl '${setup.publicUrl ?? location.origin}/capture/api/link' \\
  -H "authorization: Bearer $EXTENSION_TOKEN" -H 'content-type: application/json' \\
  -d '{"url":"https://example.org","note":"worth a look"}'`}
    />
  </Step>
)

/** Polling interval for the state of the set-up, in milliseconds. */
const POLL_INTERVAL = 3_000

const ImportPanel = () => (
  <section class="panel import-panel stack" aria-label="Import a file">
    <p>
      Import your links from a browser, Pocket, Raindrop, Karakeep and others. Export a file there, then
      choose it here or <b>drop it anywhere on this page</b>.
    </p>
    <Button icon="upload" onClick={() => open({ kind: "import" })}>
      Import a file…
    </Button>
  </section>
)

const OtherWays = () => (
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

/** Every way to add links, with its instructions and state; `expanded` shows the first one opened. */
export const WaysToAdd = ({ expanded = false }: { readonly expanded?: boolean }) => {
  const setup = meta.value?.setup
  useEffect(() => {
    const timer = setInterval(() => document.hidden || refreshMeta(), POLL_INTERVAL)
    return () => clearInterval(timer)
  }, [])
  if (setup === undefined) return null
  return (
    <>
      <BotWay setup={setup} open={expanded} />
      <ExtensionWay setup={setup} />
      <OtherWays />
      <ScriptWay setup={setup} />
    </>
  )
}

export const FirstRun = () =>
  meta.value === null ? null : (
    <div class="first-run prose stack">
      <header class="stack">
        <h1>Your library is empty</h1>
        <p>
          Paste an address and press Enter. The link is saved at once; then its page is read, and its title,
          picture and text appear here by themselves.
        </p>
        <p>
          <a class="button" href="/setup">
            Set up the bot, the extension and a model
          </a>
        </p>
      </header>
      <section class="panel" aria-label="Add a link">
        <AddForm initial={EMPTY} after={(again) => <Button onClick={again}>Add another</Button>} />
      </section>
      <ImportPanel />
      <WaysToAdd expanded />
    </div>
  )
