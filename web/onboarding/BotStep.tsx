/** @jsxImportSource preact */
import { useState } from "preact/hooks"
import type { SetUpAnswer } from "../../src/http/api/SetUpApi.ts"
import { ask } from "./ask.ts"
import { Field, Form, Outcome, Submit } from "./Form.tsx"
import { useTask } from "./useTask.ts"

interface BotStepProps {
  readonly bot: SetUpAnswer["bot"]
  readonly onDone: () => Promise<void>
}

/** Connects a bot: its token is tried before it is written. */
export const BotStep = ({ bot, onDone }: BotStepProps) => {
  const task = useTask()
  const [token, setToken] = useState("")
  const submit = () => {
    if (token.trim() === "") return task.refuse("Enter the token.")
    task.run(async (options) => {
      await ask("POST", "/dashboard/api/setup/bot", { ...options, body: { token: token.trim() } })
      setToken("")
      await onDone()
    })
  }
  return (
    <>
      {bot.isSet ? (
        <p class={bot.error === null ? undefined : "problem"}>
          {bot.error ?? `Connected to @${bot.username ?? "your bot"}. Another token replaces it.`}
        </p>
      ) : (
        <p>
          Send links to your own Telegram bot, from any phone. Open{" "}
          <a href="https://t.me/BotFather" target="_blank" rel="noopener noreferrer">
            @BotFather
          </a>
          , send <code>/newbot</code>, answer its two questions, and copy the token that you get.
        </p>
      )}
      <Form label="Bot" task={task} onSubmit={submit}>
        <Field
          label="Token"
          value={token}
          onValue={setToken}
          describedBy="bot-outcome"
          isInvalid={task.problem !== ""}
          input={{
            name: "bot-token",
            autocomplete: "off",
            spellcheck: false,
            placeholder: "123456789:AA…",
            maxLength: 200
          }}
        />
        <Submit task={task} isPrimary={!bot.isSet}>
          Connect the bot
        </Submit>
        <Outcome id="bot-outcome" task={task} />
      </Form>
    </>
  )
}
