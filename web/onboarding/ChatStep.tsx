/** @jsxImportSource preact */
import { useState } from "preact/hooks"
import type { SetUpAnswer } from "../../src/http/api/SetUpApi.ts"
import { send } from "./ask.ts"
import { Field, Form, Outcome, Submit } from "./Form.tsx"
import { QrCode } from "./QrCode.tsx"
import { useTask } from "./useTask.ts"

interface ChatStepProps {
  readonly bot: SetUpAnswer["bot"]
  readonly chat: SetUpAnswer["chat"]
  readonly onDone: () => Promise<void>
}

type ClaimProps = Pick<ChatStepProps, "chat" | "onDone"> & { readonly username: string }

/** Claims the owner's chat by the code that the bot sent there, or by its name in the list. */
const Claim = ({ chat, onDone, username }: ClaimProps) => {
  const task = useTask()
  const [code, setCode] = useState("")
  const address = `https://t.me/${username}`
  const claim = (body: { readonly code: string } | { readonly chatId: number }) =>
    task.run(async (options) => {
      await send("POST", "/dashboard/api/setup/chat", { ...options, body })
      await onDone()
    })
  return (
    <div class="beside">
      <div class="stack">
        <p>
          Open{" "}
          <a href={address} target="_blank" rel="noopener noreferrer">
            @{username}
          </a>{" "}
          in Telegram, and send it any message. It answers with a code.
        </p>
        <Form
          label="Chat"
          task={task}
          onSubmit={() =>
            code.trim() === "" ? task.refuse("Enter the code.") : claim({ code: code.trim() })
          }
        >
          <Field
            label="Code from the bot"
            value={code}
            onValue={setCode}
            describedBy="chat-outcome"
            isInvalid={task.problem !== ""}
            input={{
              class: "input code-input",
              name: "chat-code",
              inputMode: "numeric",
              autocomplete: "one-time-code",
              maxLength: 20
            }}
          />
          <Submit task={task} isPrimary>
            This is my chat
          </Submit>
          <Outcome id="chat-outcome" task={task} />
        </Form>
        <div role="status">
          {chat.candidates.map(({ chatId, code: sent, name }) => (
            <p key={chatId} class="candidate">
              <span>
                Message from <bdi>{name}</bdi> ({chatId}).{" "}
                {/* Anyone can write to the bot under the owner's name; the code tells the chats apart. */}
                {sent === undefined ? "Is it yours?" : `Is it yours, with the code ${sent}?`}
              </span>
              <button type="button" class="button" aria-busy={task.isBusy} onClick={() => claim({ chatId })}>
                Yes<span class="visually-hidden">, the chat of {name} is mine</span>
              </button>
            </p>
          ))}
        </div>
      </div>
      <figure class="code-figure">
        <QrCode text={address} label={`Opens the bot @${username} in Telegram`} />
        <figcaption class="hint">Opens the bot on your phone</figcaption>
      </figure>
    </div>
  )
}

/** Says whose messages the bot takes: those of one chat. */
export const ChatStep = ({ bot, chat, onDone }: ChatStepProps) => {
  if (chat.isSet) return <p>The bot saves links from your chat, and ignores everybody else.</p>
  if (!bot.isSet || bot.username === null) return <p>Connect a bot first.</p>
  switch (bot.mode) {
    case "polling":
      return <Claim chat={chat} onDone={onDone} username={bot.username} />
    case "off":
      return (
        <p class="waiting" role="status">
          <span class="spinner" aria-hidden="true" />
          The service is connecting to Telegram…
        </p>
      )
    case "webhook":
      return (
        <p>
          Telegram sends this bot’s messages to a webhook, so the service cannot look for your chat. Set{" "}
          <code>ALLOWED_CHAT_ID</code> to the chat’s number; <a href="/docs/bot">the documentation</a> says
          how to find it.
        </p>
      )
  }
}
