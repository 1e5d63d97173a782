/** @jsxImportSource preact */
import { useEffect, useState } from "preact/hooks"
import { ask } from "./ask.ts"
import { Form, Outcome, Submit } from "./Form.tsx"
import { useTask } from "./useTask.ts"

/** The state of a question in the owner's chat. */
interface Answer {
  readonly state: "waiting" | "allowed" | "denied" | "expired"
}

/** A question that was sent; its message shows the same number. */
interface Question {
  readonly number: string
}

/** How often the answer is asked for, in milliseconds. */
const INTERVAL = 1_500

const refusals = {
  denied: "It was denied in the chat.",
  expired: "Nobody answered in the chat in time. Ask again."
} as const

interface BotSignInProps {
  /** Called once the owner has allowed it. */
  readonly onAllowed: () => void
}

/** A button that asks in the owner's chat with the bot, and waits for the answer there. */
export const BotSignIn = ({ onAllowed }: BotSignInProps) => {
  const task = useTask()
  const [number, setNumber] = useState<string | null>(null)
  useEffect(() => {
    if (number === null) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = (problem: string) => {
      setNumber(null)
      task.refuse(problem)
    }
    const look = async () => {
      const { state } = await ask<Answer>("GET", "/signin/api/bot")
      if (state === "allowed") onAllowed()
      else if (state === "waiting") timer = setTimeout(watch, INTERVAL)
      else end(refusals[state])
    }
    const watch = () =>
      void look().catch((error: unknown) => end(error instanceof Error ? error.message : ""))
    timer = setTimeout(watch, INTERVAL)
    return () => clearTimeout(timer)
  }, [number])
  const start = () =>
    task.run(async (options) => {
      const question = await ask<Question>("POST", "/signin/api/bot", { ...options, body: {} })
      setNumber(question.number)
    })
  return (
    <Form label="Bot" task={task} onSubmit={start}>
      {number === null ? (
        <Submit task={task}>Ask in the chat with the bot</Submit>
      ) : (
        <p class="waiting" role="status">
          <span class="spinner" aria-hidden="true" />
          <span>
            Look at your chat with the bot. If its message shows <strong>{number}</strong>, press Allow there.
          </span>
        </p>
      )}
      <Outcome task={task} />
    </Form>
  )
}
