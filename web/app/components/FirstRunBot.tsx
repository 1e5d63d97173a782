import { Command } from "./Command.tsx"
import { Part, type SetupProps, Step } from "./FirstRunStep.tsx"

/** Instructions for setting up the bot. */
export const FirstRunBot = ({ base, setup }: SetupProps) => (
  <Step title="From Telegram, with your own bot" open done={setup.bot && setup.webhook && setup.chat}>
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
