import { useCallback, useEffect, useState } from "preact/hooks"
import { ageOf } from "../age.ts"
import { api, type SetUpState } from "../api.ts"
import { needsService } from "../state/connection.ts"
import { meta, refreshMeta } from "../state/meta.ts"
import { reasonOf, tell } from "../state/toasts.ts"
import { FormDialog, TextField } from "./FormDialog.tsx"
import { Icon } from "./Icon.tsx"

/** A part of the service that settings connect, as it answered when it was tested. */
interface Part {
  readonly name: string
  readonly does: string
  readonly state: string
  /** Undefined for a part that is not set up, which is no fault. */
  readonly works: boolean | undefined
  /** Whether it has answered, rather than only being set. */
  readonly isTested?: boolean
  /** The settings it takes. */
  readonly settings: ReadonlyArray<string>
  /** Its page in the documentation. */
  readonly docs: string
  /** What connects or changes it: a dialog, or a step of the set-up. */
  readonly change?: "bot" | "model" | "/setup#chat" | "/setup#extension"
}

const partsOf = ({ bot, chat, extension, model }: SetUpState): ReadonlyArray<Part> => {
  const { embedder, setup } = meta.value ?? {}
  return [
    {
      name: "Telegram bot",
      does: "Saves the links that you send to it, and searches from the chat.",
      state: bot.isSet ? (bot.error ?? `@${bot.username ?? "your bot"}, by ${bot.mode}`) : "Not connected",
      works: bot.isSet ? bot.error === null : undefined,
      isTested: true,
      settings: ["TELEGRAM_BOT_TOKEN", "TELEGRAM_MODE", "WEBHOOK_SECRET"],
      docs: "bot",
      change: "bot"
    },
    {
      name: "Your chat",
      does: "The only chat that the bot listens to.",
      state: chat.isSet ? "Yours" : "Not connected",
      works: chat.isSet || (bot.isSet ? false : undefined),
      settings: ["ALLOWED_CHAT_ID"],
      docs: "bot",
      ...(chat.isSet ? {} : { change: "/setup#chat" })
    },
    {
      name: "Browser extension",
      does: "Saves the page that you are on.",
      state: extension.isConnected
        ? "A browser has used it"
        : extension.isSet
          ? "Has a token; no browser has used it since the service started"
          : "Not connected",
      works: extension.isSet ? true : undefined,
      isTested: extension.isConnected,
      settings: ["EXTENSION_TOKEN"],
      docs: "extension",
      change: "/setup#extension"
    },
    {
      name: "Language model",
      does: "Writes summaries and chooses tags and categories.",
      state: model.name ?? "Not connected",
      works: model.isSet ? true : undefined,
      settings: ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "MODEL_URL", "MODEL_NAME", "MODEL_API_KEY"],
      docs: "models",
      change: "model"
    },
    {
      name: "Embedder",
      does: "Finds links by meaning, and files new ones with similar ones. One is built in.",
      state: embedder?.name ?? "",
      works: true,
      settings: ["EMBEDDINGS_URL", "EMBEDDINGS_MODEL", "EMBEDDINGS_API_KEY"],
      docs: "search"
    },
    {
      name: "Public address",
      does: "Used in feeds and on the public list, and by Telegram to reach the bot.",
      state: setup?.publicUrl ?? "Not set",
      works: setup?.publicUrl == null ? undefined : true,
      settings: ["PUBLIC_URL"],
      docs: "sharing"
    }
  ]
}

interface DialogProps {
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Connects a part once its values have been tried; a refusal stands below the fields. */
const useConnect = (part: "bot" | "model", onDone: () => void) => {
  const [problem, setProblem] = useState("")
  const connect = async (values: object) => {
    try {
      await api.connect(part, values)
      tell("Connected.")
      onDone()
      return true
    } catch (error) {
      setProblem(reasonOf(error))
      return false
    }
  }
  const shown = (
    <p class="problem" role="alert">
      {problem}
    </p>
  )
  return { connect, shown }
}

const BotDialog = ({ onClose, onDone }: DialogProps) => {
  const [token, setToken] = useState("")
  const { connect, shown } = useConnect("bot", onDone)
  return (
    <FormDialog
      title="Telegram bot"
      confirm="Try it and connect"
      isReady={token.trim() !== ""}
      onSubmit={() => connect({ token: token.trim() })}
      onClose={onClose}
    >
      <TextField label="Token" maxLength={200} value={token} onValue={setToken} />
      <p class="hint">@BotFather gives it to you when you send /newbot.</p>
      {shown}
    </FormDialog>
  )
}

const ModelDialog = ({ onClose, onDone }: DialogProps) => {
  const [isOther, setOther] = useState(false)
  const [url, setUrl] = useState("")
  const [name, setName] = useState("")
  const [key, setKey] = useState("")
  const { connect, shown } = useConnect("model", onDone)
  const save = () =>
    connect(
      isOther
        ? { url: url.trim(), name: name.trim(), ...(key.trim() === "" ? {} : { key: key.trim() }) }
        : { anthropicKey: key.trim() }
    )
  return (
    <FormDialog
      title="Language model"
      confirm="Try it and connect"
      isReady={(isOther ? url : key).trim() !== ""}
      onSubmit={save}
      onClose={onClose}
    >
      <label class="field">
        <b class="hint">Provider</b>
        <select
          class="input"
          value={isOther ? "other" : "anthropic"}
          onChange={({ currentTarget }) => setOther(currentTarget.value === "other")}
        >
          <option value="anthropic">Anthropic</option>
          <option value="other">Another, or one on this machine</option>
        </select>
      </label>
      {isOther ? (
        <>
          <TextField label="Address" maxLength={2_000} value={url} onValue={setUrl} />
          <TextField
            label="Name of the model, if there are several"
            maxLength={200}
            value={name}
            onValue={setName}
          />
        </>
      ) : null}
      <TextField
        label={isOther ? "API key, if it needs one" : "API key"}
        maxLength={500}
        value={key}
        onValue={setKey}
      />
      {shown}
    </FormDialog>
  )
}

interface RowProps {
  readonly part: Part
  readonly onChange: (part: "bot" | "model") => void
}

const Row = ({ onChange, part }: RowProps) => {
  const { change, docs, does, isTested = false, name, settings, state, works } = part
  const working = isTested ? "check" : "link"
  return (
    <li class="connection">
      <p class="row">
        <Icon name={works === undefined ? "unread" : works ? working : "attention"} />
        <b>{name}</b>
        <span class={works === false ? "problem" : "hint"} dir="auto">
          {state}
        </span>
        {change === undefined ? null : change === "bot" || change === "model" ? (
          <button type="button" class="button push" {...needsService()} onClick={() => onChange(change)}>
            {works === undefined ? "Connect" : "Change"}…<span class="visually-hidden"> {name}</span>
          </button>
        ) : (
          <a class="button push" href={change}>
            {works === undefined ? "Connect" : "Change"}…<span class="visually-hidden"> {name}</span>
          </a>
        )}
      </p>
      <p class="hint">
        {does}{" "}
        <a href={`/docs/${docs}`}>
          Read more<span class="visually-hidden"> about {name}</span>
        </a>
      </p>
      <details class="hint">
        <summary>
          Advanced<span class="visually-hidden">: settings of {name}</span>
        </summary>
        {settings.map((setting) => (
          <code key={setting}>{setting} </code>
        ))}
      </details>
    </li>
  )
}

/** The tab of what the service is connected to, each part as it answers now. */
export const ConnectionSettings = () => {
  const [state, setState] = useState<SetUpState>()
  const [testedAt, setTestedAt] = useState<string>()
  const [problem, setProblem] = useState("")
  const [edited, setEdited] = useState<"bot" | "model">()
  const test = useCallback(() => {
    setTestedAt(undefined)
    api.setUp().then(
      (answer) => {
        setState(answer)
        setProblem("")
        setTestedAt(new Date().toISOString())
      },
      (error: unknown) => setProblem(reasonOf(error))
    )
  }, [])
  useEffect(test, [test, meta.value?.setup, meta.value?.model.id])
  const dialog = {
    onClose: () => setEdited(undefined),
    onDone: () => {
      refreshMeta()
      test()
    }
  }
  return (
    <>
      <p class="row">
        <span role="status">
          {problem !== ""
            ? problem
            : testedAt === undefined
              ? "Asking the bot…"
              : state?.bot.isSet
                ? `The bot was asked ${ageOf(testedAt)}.`
                : ""}
        </span>
        <button type="button" class="button" {...needsService()} onClick={test}>
          Test
        </button>
        <a class="button push" href="/setup">
          Guided set-up
        </a>
      </p>
      {state === undefined ? null : (
        <>
          <ul>
            {partsOf(state).map((part) => (
              <Row key={part.name} part={part} onChange={setEdited} />
            ))}
          </ul>
          <p class="hint">
            {state.writesTo === null ? (
              "The service cannot write its settings here. Set them where it reads them; "
            ) : (
              <>
                Settings are written to <code>{state.writesTo}</code>.{" "}
              </>
            )}
            <a href="/docs/settings">All settings</a>
          </p>
        </>
      )}
      {edited === "bot" ? <BotDialog {...dialog} /> : null}
      {edited === "model" ? <ModelDialog {...dialog} /> : null}
    </>
  )
}
