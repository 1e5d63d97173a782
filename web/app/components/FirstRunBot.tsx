import { Command } from "./Command.tsx"
import { Part, type SetupProps, Step } from "./FirstRunStep.tsx"

/** How to set up a bot of one's own. */
export const FirstRunBot = ({ base, setup }: SetupProps) => (
  <Step title="From Telegram, through a bot of your own" open done={setup.bot && setup.webhook && setup.chat}>
    <p>
      Lines with a <code>=</code> go into the file <code>.env</code> in the folder the service was started in.
      It is read again when it changes.
    </p>
    <ol class="parts">
      <Part done={setup.bot}>
        <p>
          In Telegram write <code>/newbot</code> to <b>@BotFather</b>, answer its two questions, and put the
          token it gives you here:
        </p>
        <Command text="TELEGRAM_BOT_TOKEN=123456789:the-token-from-BotFather" />
      </Part>
      <Part done={setup.chat}>
        <p>
          Write anything to your bot, then ask Telegram for the number of that chat: it stands behind{" "}
          <code>"chat":{"{"}"id":</code>. The library listens to this chat and to no other.
        </p>
        <Command text={`. ./.env; curl "https://api.telegram.org/bot$TELEGRAM_BOT_TOKEN/getUpdates"`} />
        <Command text="ALLOWED_CHAT_ID=the-number" />
      </Part>
      <Part done={setup.webhook}>
        <p>Then tell Telegram where your library is, from the same folder:</p>
        <Command text={`npx --yes bun@1.4.5 src/main.ts webhook set --url ${base}/webhook`} />
        <p class="hint">
          From the binary it is <code>./linkbower webhook set --url {base}/webhook</code>. It makes the secret
          that only Telegram and your library know, and puts it into <code>.env</code>.
        </p>
        {base.startsWith("https:") ? null : (
          <p class="hint">
            Telegram only sends to an <code>https</code> address that can be reached from outside. Set{" "}
            <code>PUBLIC_URL</code> in <code>.env</code>, and this line follows.
          </p>
        )}
      </Part>
    </ol>
    <p>From then on: send the bot a link, with a note around it if you like.</p>
  </Step>
)
