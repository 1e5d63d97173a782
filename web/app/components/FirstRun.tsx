import type { ComponentChildren } from "preact"
import { useEffect, useMemo } from "preact/hooks"
import { meta, refreshMeta } from "../state/meta.ts"
import { AddForm } from "./AddForm.tsx"
import { Bookmarklet } from "./Bookmarklet.tsx"
import { Command } from "./Command.tsx"
import { Icon } from "./Icon.tsx"

/** How often it is looked what is set up by now, in milliseconds. */
const LOOK = 3_000

/** What the bot reads of what happens in its chats. */
const UPDATES = '["message","edited_message","channel_post","edited_channel_post"]'

const random = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    ""
  )

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

interface Setup {
  readonly bot: boolean
  readonly webhook: boolean
  readonly chat: boolean
  readonly extension: boolean
  readonly publicUrl: string | null
}

const Bot = ({
  base,
  secret,
  setup
}: {
  readonly base: string
  readonly secret: string
  readonly setup: Setup
}) => (
  <Step title="From Telegram, through a bot of your own" open done={setup.bot && setup.webhook && setup.chat}>
    <p>
      These lines go into the file <code>.env</code> in the folder the service was started in. It is read
      again when it changes.
    </p>
    <ol class="parts">
      <Part done={setup.bot}>
        <p>
          In Telegram write <code>/newbot</code> to <b>@BotFather</b>, answer its two questions, and put the
          token it gives you here:
        </p>
        <Command text="TELEGRAM_BOT_TOKEN=123456789:the-token-from-BotFather" />
      </Part>
      <Part done={setup.webhook}>
        <p>A secret that only Telegram and your library know. This one was made just now, by your browser:</p>
        <Command text={`WEBHOOK_SECRET=${secret}`} />
      </Part>
      <Part done={setup.chat}>
        <p>
          Write anything to your bot, then ask Telegram for the number of that chat: it stands behind{" "}
          <code>"chat":{"{"}"id":</code>. The library listens to this chat and to no other.
        </p>
        <Command text={`. ./.env; curl "https://api.telegram.org/bot$TELEGRAM_BOT_TOKEN/getUpdates"`} />
        <Command text="ALLOWED_CHAT_ID=the-number" />
      </Part>
      <li class="part">
        <span class="part-mark" />
        <div>
          <p>Then tell Telegram where your library is, from the same folder:</p>
          <Command
            text={`. ./.env; curl "https://api.telegram.org/bot$TELEGRAM_BOT_TOKEN/setWebhook" \\
  --data-urlencode 'url=${base}/webhook' \\
  --data-urlencode "secret_token=$WEBHOOK_SECRET" \\
  --data-urlencode 'allowed_updates=${UPDATES}'`}
          />
          {base.startsWith("https:") ? null : (
            <p class="hint">
              Telegram only sends to an <code>https</code> address that can be reached from outside. Set{" "}
              <code>PUBLIC_URL</code> in <code>.env</code>, and this line follows.
            </p>
          )}
        </div>
      </li>
    </ol>
    <p>From then on: send the bot a link, with a note around it if you like.</p>
  </Step>
)

const Browser = () => (
  <Step title="From your browser, or your phone’s share menu" done={false}>
    <p>
      <b>On a computer</b>, drag this to your bookmarks bar. On any page a click on it opens a small window
      with the address filled in; text that is selected becomes the note.
    </p>
    <Bookmarklet />
    <p>
      <b>On an Android phone</b>, open this page in Chrome or Edge and choose “Add to Home screen” or “Install
      app” from the browser’s menu. Linkbower is then among the apps you can share to.
    </p>
  </Step>
)

const Capture = ({
  base,
  setup,
  token
}: {
  readonly base: string
  readonly token: string
  readonly setup: Setup
}) => (
  <Step title="From a script or another program" done={setup.extension}>
    <ol class="parts">
      <Part done={setup.extension}>
        <p>
          A token that can save and nothing else, for <code>.env</code>. This one was made just now:
        </p>
        <Command text={`EXTENSION_TOKEN=${token}`} />
      </Part>
      <li class="part">
        <span class="part-mark" />
        <div>
          <p>With it any program can save a link:</p>
          <Command
            text={`. ./.env; curl '${base}/capture/api/link' \\
  -H "authorization: Bearer $EXTENSION_TOKEN" -H 'content-type: application/json' \\
  -d '{"url":"https://example.org","note":"worth a look"}'`}
          />
        </div>
      </li>
    </ol>
  </Step>
)

const empty = { url: "", note: "", title: "" }

/** What an empty library shows: the ways for links to come in, each with what is done of it by now. */
export const FirstRun = () => {
  const setup = meta.value?.setup
  const [secret, token] = useMemo(() => [random(), random()] as const, [])
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
          Save the first link right here, or set up a way for links to come in. It appears here by itself.
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
      <Bot base={base} secret={secret} setup={setup} />
      <Browser />
      <Capture base={base} token={token} setup={setup} />
    </div>
  )
}
