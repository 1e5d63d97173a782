/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { useCallback, useEffect, useState } from "preact/hooks"
import type { SetUpAnswer } from "../../src/http/api/SetUpApi.ts"
import { count } from "../../src/shared/Format.ts"
import { Icon } from "../app/components/Icon.tsx"
import { ask } from "./ask.ts"
import { BotStep } from "./BotStep.tsx"
import { ChatStep } from "./ChatStep.tsx"
import { ExtensionStep } from "./ExtensionStep.tsx"
import { Frame } from "./Frame.tsx"
import { ImportStep } from "./ImportStep.tsx"
import { ModelStep } from "./ModelStep.tsx"

/** How often the page asks for what is set up, in milliseconds: other windows and the bot change it too. */
const INTERVAL = 3_000

/** The steps in their order; the address of each is `#` and its name. */
const steps = ["bot", "chat", "extension", "model", "import"] as const
type StepName = (typeof steps)[number]

const titles: Readonly<Record<StepName, string>> = {
  bot: "A bot to send links to",
  chat: "Your chat with the bot",
  extension: "A button in your browser",
  model: "A model for summaries and tags",
  import: "The links you have"
}

const isDone = (name: StepName, state: SetUpAnswer): boolean =>
  name === "import" ? state.links > 0 : state[name].isSet

/** The state of a step in a few words. */
const summaryOf = (name: StepName, { bot, extension, links, model }: SetUpAnswer): string => {
  if (name === "bot") return bot.username === null ? "Set" : `@${bot.username}`
  if (name === "model") return model.name ?? "Set"
  if (name === "extension" && !extension.isConnected) return "Has a token, no browser connected yet"
  return name === "import" ? count(links, "link") : "Connected"
}

interface StepProps {
  readonly name: StepName
  readonly state: SetUpAnswer
  readonly isOpen: boolean
  readonly onToggle: (isOpen: boolean) => void
  readonly children: ComponentChildren
}

const Step = ({ children, isOpen, name, onToggle, state }: StepProps) => {
  const done = isDone(name, state)
  return (
    <li>
      <details
        id={name}
        class="setup-step"
        data-done={done}
        open={isOpen}
        onToggle={(event) => onToggle(event.currentTarget.open)}
      >
        <summary>
          <span class="setup-mark">
            {done ? <Icon name="check" /> : <span aria-hidden="true">{steps.indexOf(name) + 1}</span>}
          </span>
          <h2>{titles[name]}</h2>
          <span class="hint" dir="auto">
            {done ? summaryOf(name, state) : "Optional"}
          </span>
        </summary>
        <div class="setup-body">{children}</div>
      </details>
    </li>
  )
}

const firstUndone = (state: SetUpAnswer) => steps.find((name) => !isDone(name, state))

/** Follows what is set up while the page is visible; `refresh` asks at once. */
const useLiveState = () => {
  const [state, setState] = useState<SetUpAnswer | null>(null)
  const refresh = useCallback(async () => setState(await ask<SetUpAnswer>("GET", "/dashboard/api/setup")), [])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const next = () => {
      timer = setTimeout(look, INTERVAL)
    }
    // A failure is not shown: the next answer replaces it, and the forms report their own.
    const look = () => void (document.hidden ? Promise.resolve() : refresh()).catch(() => {}).then(next)
    look()
    return () => clearTimeout(timer)
  }, [])
  return { state, refresh }
}

interface StepsProps {
  readonly state: SetUpAnswer
  readonly refresh: () => Promise<void>
}

const Steps = ({ refresh, state }: StepsProps) => {
  const [open, setOpen] = useState<StepName | undefined>(firstUndone(state))
  const [finished, setFinished] = useState(0)
  /** After a step is done: leads to the next one. */
  const proceed = async () => {
    await refresh()
    setFinished((number) => number + 1)
  }
  useEffect(() => {
    if (finished === 0) return
    const name = firstUndone(state)
    setOpen(name)
    document.querySelector<HTMLElement>(name === undefined ? ".setup-end a" : `#${name} > summary`)?.focus()
  }, [finished])
  useEffect(() => {
    const follow = () => {
      const name = steps.find((one) => `#${one}` === location.hash)
      if (name !== undefined) setOpen(name)
    }
    follow()
    window.addEventListener("hashchange", follow)
    return () => window.removeEventListener("hashchange", follow)
  }, [])
  const done = steps.filter((name) => isDone(name, state)).length
  const bodies: Readonly<Record<StepName, ComponentChildren>> = {
    bot: <BotStep bot={state.bot} onDone={proceed} />,
    chat: <ChatStep bot={state.bot} chat={state.chat} onDone={proceed} />,
    extension: <ExtensionStep extension={state.extension} onDone={refresh} />,
    model: <ModelStep model={state.model} onDone={proceed} />,
    import: <ImportStep links={state.links} onDone={refresh} />
  }
  return (
    <>
      <p class="setup-progress">
        <progress max={steps.length} value={done} aria-label="Steps done" />
        <span class="hint">
          {done} of {steps.length} done
        </span>
      </p>
      {state.writesTo === null ? (
        <p class="frame-note">
          The service cannot write its settings here. Set them where it reads them;{" "}
          <a href="/docs/settings">the documentation</a> lists them all.
        </p>
      ) : null}
      <ol class="setup-steps">
        {steps.map((name) => (
          <Step
            key={name}
            name={name}
            state={state}
            isOpen={open === name}
            onToggle={(isOpen) => {
              if (isOpen) setOpen(name)
              else if (open === name) setOpen(undefined)
            }}
          >
            {bodies[name]}
          </Step>
        ))}
      </ol>
      <p class="setup-end">
        <a class="button" data-kind="primary" href="/dashboard">
          Open the dashboard
        </a>
        {state.writesTo === null ? null : (
          <span class="hint">
            Settings are written to <code>{state.writesTo}</code>.
          </span>
        )}
      </p>
    </>
  )
}

/** Guides a new owner through everything that brings links into the library. Each step can be skipped and done later. */
export const SetUp = () => {
  const { refresh, state } = useLiveState()
  return (
    <Frame
      isWide
      title="Set up your library"
      lead="Everything here is optional, works at once, and can be changed later."
    >
      {state === null ? (
        <p class="hint" role="status">
          Looking at what is set up…
        </p>
      ) : (
        <Steps state={state} refresh={refresh} />
      )}
    </Frame>
  )
}
