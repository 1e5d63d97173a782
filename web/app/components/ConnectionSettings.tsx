import { signal } from "@preact/signals"
import { useState } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { ageOf } from "../age.ts"
import { api, type SetUpState, type TestAnswer, type TestedPart } from "../api.ts"
import { meta, refreshMeta } from "../state/meta.ts"
import { reasonOf, tell } from "../state/toasts.ts"
import { Button } from "./Button.tsx"
import { SelectField, TextField } from "./Fields.tsx"
import { FormDialog } from "./FormDialog.tsx"
import { Icon } from "./Icon.tsx"
import { useLoaded } from "./useLoaded.tsx"

/** A part of the service that settings connect. */
interface Part {
  readonly name: string
  readonly does: string
  /** How it is set up, in words. */
  readonly state: string
  readonly isSet: boolean
  /** Whether it has just answered; undefined if it was only set. */
  readonly answers?: boolean | undefined
  /** By which name the service tests it; parts without one are not asked. */
  readonly test?: TestedPart
  readonly settings: ReadonlyArray<string>
  /** Its page in the documentation. */
  readonly docs: string
  /** What connects or changes it: a dialog, or a step of the set-up. */
  readonly change?: "bot" | "model" | "/setup#chat" | "/setup#extension"
}

const NONE = "Not connected"

const partsOf = ({ bot, chat, extension, links, model, provider }: SetUpState): ReadonlyArray<Part> => {
  const { embedder, setup } = meta.value ?? {}
  return [
    {
      name: "Telegram bot",
      does: "Saves the links that you send to it, and searches from the chat.",
      state: bot.isSet ? (bot.error ?? `@${bot.username ?? "your bot"}, by ${bot.mode}`) : NONE,
      isSet: bot.isSet,
      answers: bot.error === null,
      test: "bot",
      settings: ["TELEGRAM_BOT_TOKEN", "TELEGRAM_MODE", "WEBHOOK_SECRET"],
      docs: "bot",
      change: "bot"
    },
    {
      name: "Your chat",
      does: "The only chat that the bot listens to.",
      state: chat.isSet ? "Connected" : NONE,
      isSet: chat.isSet,
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
          : NONE,
      isSet: extension.isSet,
      answers: extension.isConnected || undefined,
      settings: ["EXTENSION_TOKEN"],
      docs: "extension",
      change: "/setup#extension"
    },
    {
      name: "Language model",
      does: "Writes summaries and chooses tags and categories.",
      state: model.name ?? NONE,
      isSet: model.isSet,
      test: "model",
      settings: ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "MODEL_URL", "MODEL_NAME", "MODEL_API_KEY"],
      docs: "models",
      change: "model"
    },
    {
      name: "Embedder",
      does: "Finds links by meaning, and files new ones with similar ones. One is built in.",
      state: embedder?.name ?? "",
      isSet: true,
      test: "embedder",
      settings: ["EMBEDDINGS_URL", "EMBEDDINGS_MODEL", "EMBEDDINGS_API_KEY"],
      docs: "search"
    },
    {
      name: "Saved sites",
      does: "The service reads their pages for titles, pictures and texts. The test asks one of them.",
      state: links === 0 ? "No link yet" : count(links, "link"),
      isSet: links > 0,
      test: "pages",
      settings: ["FETCH_ALLOW"],
      docs: "troubleshooting"
    },
    {
      name: "GitHub",
      does: "Describes saved repositories; a token raises its limit.",
      state: "Public API",
      isSet: true,
      test: "github",
      settings: ["GITHUB_TOKEN", "GITHUB_API_URL"],
      docs: "settings"
    },
    {
      name: "Identity provider",
      does: "Signs you in with OpenID Connect.",
      state: provider ?? NONE,
      isSet: provider !== null,
      test: "openid",
      settings: ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_ALLOW"],
      docs: "sign-in"
    },
    {
      name: "Public address",
      does: "Used in feeds and on the public list, and by Telegram to reach the bot.",
      state: setup?.publicUrl ?? "Not set",
      isSet: setup?.publicUrl != null,
      test: "address",
      settings: ["PUBLIC_URL"],
      docs: "sharing"
    }
  ]
}

/** How the parts that were tested answered, and when. */
const tested = signal<Partial<Record<TestedPart, TestAnswer & { readonly at: string }>>>({})
const testing = signal<ReadonlySet<TestedPart>>(new Set())

const test = async (part: TestedPart) => {
  testing.value = new Set([...testing.value, part])
  const answer = await api
    .test(part)
    .catch((error: unknown) => ({ state: "fails" as const, says: reasonOf(error) }))
  tested.value = { ...tested.value, [part]: { ...answer, at: new Date().toISOString() } }
  testing.value = new Set([...testing.value].filter((one) => one !== part))
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
      <TextField
        label="Token"
        maxLength={200}
        value={token}
        onValue={setToken}
        about="@BotFather gives it to you when you send /newbot."
      />
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
      <SelectField
        label="Provider"
        value={isOther ? "other" : "anthropic"}
        choices={[
          ["anthropic", "Anthropic"],
          ["other", "Another, or one on this machine"]
        ]}
        onChoose={(chosen) => setOther(chosen === "other")}
      />
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

/** How a part answered when it was tested last; else how it is set up. */
const stateOf = ({ answers, isSet, state, test }: Part) => {
  const last = test === undefined ? undefined : tested.value[test]
  if (test !== undefined && testing.value.has(test)) return { icon: "clock", says: "Testing…" } as const
  if (!isSet) return { icon: "unread", says: state } as const
  if (last !== undefined && last.state !== "off")
    return {
      icon: last.state === "works" ? "check" : "attention",
      says: `${state}. ${last.says} Tested ${ageOf(last.at)}.`
    } as const
  if (answers === undefined) return { icon: "link", says: state } as const
  return { icon: answers ? "check" : "attention", says: state } as const
}

const Row = ({ onChange, part }: RowProps) => {
  const { change, docs, does, isSet, name, settings } = part
  const { icon, says } = stateOf(part)
  const hidden = <span class="visually-hidden"> {name}</span>
  const verb = isSet ? "Change" : "Connect"
  const fails = icon === "attention"
  return (
    <li class="thing">
      <span class="thing-name">
        <Icon name={icon} />
        {name}
      </span>
      <span class="thing-facts hint">
        <span class={fails ? "problem" : "quiet"} dir="auto" role="status">
          {says}
        </span>
        <span class="thing-description">
          {does}{" "}
          <a href={`/docs/${docs}`}>
            Read more<span class="visually-hidden"> about {name}</span>
          </a>
        </span>
        <details>
          <summary>
            Advanced<span class="visually-hidden">: settings of {name}</span>
          </summary>
          {settings.map((setting) => (
            <code key={setting}>{setting} </code>
          ))}
        </details>
      </span>
      <span class="thing-actions">
        {isSet && part.test !== undefined ? (
          <Button
            disabled={testing.value.has(part.test)}
            needsService
            onClick={() => part.test && void test(part.test)}
          >
            Test{hidden}
          </Button>
        ) : null}
        {change === undefined ? null : change === "bot" || change === "model" ? (
          <Button needsService onClick={() => onChange(change)}>
            {verb}…{hidden}
          </Button>
        ) : (
          <a class="button" href={change}>
            {verb}…{hidden}
          </a>
        )}
      </span>
    </li>
  )
}

/** The tab of what the service is connected to, how each part is set up, and whether it answers. */
export const ConnectionSettings = () => {
  const { notice, reload, value: state } = useLoaded(api.setUp, [meta.value?.setup, meta.value?.model.id])
  const [edited, setEdited] = useState<"bot" | "model">()
  if (state === undefined) return <>{notice}</>
  const parts = partsOf(state)
  const dialog = {
    onClose: () => setEdited(undefined),
    onDone: () => {
      refreshMeta()
      void reload()
    }
  }
  return (
    <>
      <p class="row">
        <Button
          disabled={testing.value.size > 0}
          needsService
          onClick={() => {
            for (const part of parts) if (part.isSet && part.test !== undefined) void test(part.test)
          }}
        >
          Test all
        </Button>
        <a class="button" href="/setup">
          Guided set-up
        </a>
      </p>
      <ul class="things">
        {parts.map((part) => (
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
      {edited === "bot" ? <BotDialog {...dialog} /> : null}
      {edited === "model" ? <ModelDialog {...dialog} /> : null}
    </>
  )
}
