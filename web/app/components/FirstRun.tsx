import type { ComponentChildren } from "preact"
import { useEffect, useMemo, useRef } from "preact/hooks"
import type { Meta } from "../api.ts"
import { open } from "../state/dialogs.ts"
import { meta, refreshMeta } from "../state/meta.ts"
import { tell } from "../state/toasts.ts"
import { AddForm, EMPTY } from "./AddForm.tsx"
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
    <div class="bookmarklet">
      <a ref={anchor} class="button" href={code} title="Drag this to your bookmarks bar">
        Save to Linkbower
      </a>
      <CopyButton text={code} label="Copy its address" />
    </div>
  )
}

interface SetupProps {
  /** The service's address, without a trailing slash. */
  readonly base: string
  readonly setup: Meta["setup"]
}

interface DoneProps {
  readonly done: boolean
  readonly children: ComponentChildren
}

/** A part of a step, with a check mark once it is done. */
const Part = ({ children, done }: DoneProps) => (
  <li class="part" data-done={done}>
    <span class="part-mark">
      {done ? <Icon name="check" /> : null}
      <span class="visually-hidden">{done ? "Done:" : "To do:"}</span>
    </span>
    <div>{children}</div>
  </li>
)

/** A part whose completion the service cannot detect. */
const UncheckedPart = ({ children }: Pick<DoneProps, "children">) => (
  <li class="part">
    <span class="part-mark" />
    <div>{children}</div>
  </li>
)

/** A way to add links, with a check mark once it is set up. */
const Step = ({
  children,
  done,
  open = false,
  title
}: DoneProps & { readonly title: string; readonly open?: boolean }) => (
  <details class="step" data-done={done} name="first-run" open={open}>
    <summary>
      <h3>{title}</h3>
      {done ? (
        <span class="step-done">
          <Icon name="check" /> Ready
        </span>
      ) : null}
    </summary>
    <div class="step-body">{children}</div>
  </details>
)

/** Instructions for setting up the bot. */
const FirstRunBot = ({ base, open, setup }: SetupProps & { readonly open: boolean }) => (
  <Step title="From Telegram, with your own bot" open={open} done={setup.bot && setup.webhook && setup.chat}>
    <p>
      Put lines with a <code>=</code> into the file <code>.env</code> in the folder where you started the
      service. Changes take effect at once.
    </p>
    <ol class="parts">
      <Part done={setup.bot}>
        <p>
          In Telegram, send <code>/newbot</code> to <b>@BotFather</b>, answer its two questions, and enter the
          token you get here:
        </p>
        <Command text="TELEGRAM_BOT_TOKEN=123456789:the-token-from-BotFather" />
      </Part>
      <Part done={setup.chat}>
        <p>
          Send your bot any message, then ask Telegram for the chat’s number: it follows{" "}
          <code>"chat":{"{"}"id":</code>. The library accepts messages only from this chat.
        </p>
        <Command text={`. ./.env; curl "https://api.telegram.org/bot$TELEGRAM_BOT_TOKEN/getUpdates"`} />
        <Command text="ALLOWED_CHAT_ID=the-number" />
      </Part>
      <Part done={setup.webhook}>
        <p>Then tell Telegram where your library is, from the same folder:</p>
        <Command text={`npx --yes bun@1.4.5 src/main.ts webhook set --url ${base}/webhook`} />
        <p class="hint">
          With the binary: <code>./linkbower webhook set --url {base}/webhook</code>. This generates the
          secret that Telegram and your library share, and writes it to <code>.env</code>.
        </p>
        {base.startsWith("https:") ? null : (
          <p class="hint">
            Telegram only sends to an <code>https</code> address on the internet. Set <code>PUBLIC_URL</code>{" "}
            in <code>.env</code>, and this command changes with it.
          </p>
        )}
      </Part>
    </ol>
    <p>Now send the bot a link, with a note if you like.</p>
  </Step>
)

/** 128 random bits in hexadecimal digits. */
const makeToken = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    ""
  )

const Download = ({ browser, file }: { readonly browser: string; readonly file: string }) => (
  <a class="button" href={`/downloads/${file}`} download>
    <Icon name="download" />
    For {browser}
  </a>
)

/** Instructions for setting up the extension. */
const FirstRunExtension = ({ base, setup }: SetupProps) => {
  // The service never sends a token that is already set.
  const token = useMemo(() => (setup.extension ? undefined : makeToken()), [])
  return (
    <Step title="From your browser, with the extension" done={setup.extension}>
      <ol class="parts">
        <UncheckedPart>
          <p>Download the extension and unpack it into a permanent folder:</p>
          <p class="downloads">
            <Download browser="Chrome, Edge, Brave" file="linkbower-chrome.zip" />
            <Download browser="Firefox" file="linkbower-firefox.zip" />
          </p>
          <p>
            <b>Chrome</b>: open <code>chrome://extensions</code>, turn on <b>Developer mode</b>, press{" "}
            <b>Load unpacked</b> and choose the unpacked folder.
          </p>
          <p>
            <b>Firefox</b>: open <code>about:debugging#/runtime/this-firefox</code>, press{" "}
            <b>Load Temporary Add-on</b> and choose the <code>manifest.json</code> in it. It is removed when
            Firefox closes.
          </p>
        </UncheckedPart>
        <Part done={setup.extension}>
          {token === undefined ? (
            <p>
              Its token is already set: you find it in <code>.env</code> after <code>EXTENSION_TOKEN=</code>.
            </p>
          ) : (
            <>
              <p>
                It needs a token that can only save links. Your browser just generated this one; put it into{" "}
                <code>.env</code>:
              </p>
              <Command text={`EXTENSION_TOKEN=${token}`} />
            </>
          )}
        </Part>
        <UncheckedPart>
          <p>
            In the extension’s options enter your library’s address
            {token === undefined ? " and that token" : ""}, and press <b>Save and test</b>:
          </p>
          <Command text={base} />
          {token === undefined ? null : (
            <>
              <p>and the token:</p>
              <Command text={token} />
            </>
          )}
        </UncheckedPart>
      </ol>
    </Step>
  )
}

/** Instructions for saving a link from any other program, with the same token. */
const FirstRunScript = ({ base, setup }: SetupProps) => (
  <Step title="From a script or another program" done={setup.extension}>
    <p>
      Once the extension’s token is in <code>.env</code>, any program can save a link with it, and do nothing
      else:
    </p>
    <Command
      text={`. ./.env; curl '${base}/capture/api/link' \\
  -H "authorization: Bearer $EXTENSION_TOKEN" -H 'content-type: application/json' \\
  -d '{"url":"https://example.org","note":"worth a look"}'`}
    />
  </Step>
)

/** Polling interval for the state of the set-up, in milliseconds. */
const POLL_INTERVAL = 3_000

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
export const SetupSteps = ({ expanded = false }: { readonly expanded?: boolean }) => {
  const setup = meta.value?.setup
  useEffect(() => {
    const timer = setInterval(() => document.hidden || refreshMeta(), POLL_INTERVAL)
    return () => clearInterval(timer)
  }, [])
  if (setup === undefined) return null
  const base = (setup.publicUrl ?? location.origin).replace(/\/+$/, "")
  return (
    <>
      <FirstRunBot base={base} setup={setup} open={expanded} />
      <FirstRunExtension base={base} setup={setup} />
      <OtherWays />
      <FirstRunScript base={base} setup={setup} />
    </>
  )
}

/** The first-run page of an empty library: the ways to add links, with their state. */
export const FirstRun = () =>
  meta.value === null ? null : (
    <div class="first-run">
      <header>
        <h2>Your library is empty</h2>
        <p>
          Save your first link here, import existing ones, or set up other ways to add links. New links appear
          here automatically.
        </p>
        <p class="first-run-setup">
          <a class="button" href="/setup">
            Set up the bot, the extension and a model
          </a>
        </p>
      </header>
      <section class="panel" aria-label="Add a link">
        <AddForm
          initial={EMPTY}
          after={(again) => (
            <button type="button" class="button" onClick={again}>
              Add another
            </button>
          )}
        />
      </section>
      <ImportPanel />
      <SetupSteps expanded />
    </div>
  )
