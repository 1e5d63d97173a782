import type { Signal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import type { Meta } from "../api.ts"
import { open } from "../state/dialogs.ts"
import { isBotSetUp, meta } from "../state/meta.ts"
import { dismissedCount, forgetDismissed } from "../state/notDuplicates.ts"
import { density, sharing, theme } from "../state/preferences.ts"
import { Command } from "./Command.tsx"
import { EReaderSettings } from "./EReaderSettings.tsx"
import { WaysToAdd } from "./FirstRun.tsx"
import { Icon } from "./Icon.tsx"
import { ReadingSettings } from "./ReadingSettings.tsx"
import { publicListAddress } from "./ShareDialog.tsx"
import { ShortcutGroups, ShortcutSwitch } from "./Shortcuts.tsx"
import { SignInSettings } from "./SignInSettings.tsx"
import { PageHeader } from "./ViewHeader.tsx"

const Section = ({ children, title }: { readonly title: string; readonly children: ComponentChildren }) => {
  const id = useId()
  return (
    <section class="settings-section" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  )
}

interface ChoiceProps<A extends string> {
  readonly legend: string
  readonly setting: Signal<A>
  readonly choices: ReadonlyArray<readonly [value: A, name: string]>
}

const Choice = <A extends string>({ choices, legend, setting }: ChoiceProps<A>) => {
  const name = useId()
  return (
    <fieldset class="settings-choice">
      <legend>{legend}</legend>
      {choices.map(([value, label]) => (
        <label key={value} class="job-choice">
          <input
            type="radio"
            name={name}
            checked={setting.value === value}
            onChange={() => {
              setting.value = value
            }}
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

/** A part of the service that settings turn on. */
interface Part {
  readonly name: string
  readonly on: boolean
  /** Its state, in a few words. */
  readonly state: string
  /** What it does. */
  readonly does: string
  /** The settings it takes. */
  readonly settings: ReadonlyArray<string>
  /** Its page in the documentation. */
  readonly docs: string
}

const botState = ({ bot, chat, polling, webhook }: Meta["setup"]): string => {
  if (!(bot || chat || webhook)) return "Off"
  const missing = [
    bot ? "" : "the token",
    chat ? "" : "the chat",
    webhook || polling ? "" : "the webhook’s secret"
  ].filter((part) => part !== "")
  return missing.length === 0 ? "On" : `Incomplete: ${missing.join(" and ")} is missing`
}

const partsOf = ({ embedder, model, setup }: Meta): ReadonlyArray<Part> => [
  {
    name: "Telegram bot",
    on: isBotSetUp(setup),
    state: botState(setup),
    does: "Saves the links that you send to it, and searches from the chat.",
    settings: ["TELEGRAM_BOT_TOKEN", "ALLOWED_CHAT_ID", "TELEGRAM_MODE", "WEBHOOK_SECRET"],
    docs: "bot"
  },
  {
    name: "Browser extension",
    on: setup.extension,
    state: setup.extension ? "On" : "Off",
    does: "Saves the page you are on. The same token lets scripts save links.",
    settings: ["EXTENSION_TOKEN"],
    docs: "extension"
  },
  {
    name: "Language model",
    on: model.configured,
    state: model.configured ? model.id : "Off",
    does: "Writes summaries and chooses tags and categories. Without it, links are saved without them.",
    settings: [
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_BASE_URL",
      "MODEL_URL",
      "MODEL_NAME",
      "MODEL_API_KEY",
      "MODEL_LANGUAGE"
    ],
    docs: "models"
  },
  {
    name: "Embedder",
    on: embedder.dimensions > 0,
    state:
      embedder.dimensions > 0
        ? `${embedder.name}, ${embedder.dimensions.toLocaleString("en")} dimensions`
        : `${embedder.name}, ready for the first link`,
    does: "Finds links by meaning, and files new ones with similar ones. One is built in.",
    settings: ["EMBEDDINGS_URL", "EMBEDDINGS_MODEL", "EMBEDDINGS_API_KEY"],
    docs: "search"
  },
  {
    name: "Public address",
    on: setup.publicUrl !== null,
    state: setup.publicUrl ?? "Not set",
    does: "Used in the feed and on the public list, and by Telegram to reach the bot.",
    settings: ["PUBLIC_URL"],
    docs: "sharing"
  }
]

const PartRow = ({ docs, does, name, on, settings, state }: Part) => (
  <li class="configured" data-on={on}>
    <p class="configured-head">
      <b>{name}</b>
      <span class="badge" dir="auto">
        {on ? <Icon name="check" /> : null}
        {state}
      </span>
    </p>
    <p>{does}</p>
    <p class="hint">
      Set with{" "}
      {settings.map((setting, at) => (
        <span key={setting}>
          {at === 0 ? "" : ", "}
          <code>{setting}</code>
        </span>
      ))}
      .{" "}
      <a href={`/docs/${docs}`}>
        Read more<span class="visually-hidden"> about {name}</span>
      </a>
    </p>
  </li>
)

const Configured = () =>
  meta.value === null ? null : (
    <>
      <p>
        The service reads its settings from a file <code>.env</code> or from the environment.{" "}
        <a href="/docs/settings">All settings</a>
      </p>
      <ul class="configured-list">
        {partsOf(meta.value).map((part) => (
          <PartRow key={part.name} {...part} />
        ))}
      </ul>
      <p class="hint">
        Linkbower {meta.value.version}. The public list is at <a href="/list">{publicListAddress()}</a>.
      </p>
    </>
  )

const Files = () => (
  <>
    <p class="settings-actions">
      <button type="button" class="button" onClick={() => open({ kind: "import" })}>
        <Icon name="upload" />
        Import a file…
      </button>
      <button type="button" class="button" onClick={() => open({ kind: "export" })}>
        <Icon name="download" />
        Export…
      </button>
    </p>
    <p>
      An export as JSON contains every link. A backup is a copy of the whole library, with everything else in
      it; make one on the server, while the service runs:
    </p>
    <Command text="linkbower backup linkbower-backup.db" />
    <p class="hint">
      <a href="/docs/backup">Back up every night, and restore</a>
    </p>
  </>
)

const ThisBrowser = () => (
  <ul class="remembered">
    <li>
      <span>
        {sharing.value === "known"
          ? "Sharing was explained here; links are shared without asking."
          : "Before the first link is shared, a dialog explains who will see it."}
      </span>
      {sharing.value === "known" ? (
        <button
          type="button"
          class="button"
          onClick={() => {
            sharing.value = "ask"
          }}
        >
          Ask again
        </button>
      ) : null}
    </li>
    <li>
      <span>
        {dismissedCount.value === 0
          ? "No groups are marked as not duplicates."
          : `${count(dismissedCount.value, "group is", "groups are")} marked as not duplicates, and hidden.`}
      </span>
      {dismissedCount.value === 0 ? null : (
        <button type="button" class="button" onClick={forgetDismissed}>
          Show them again
        </button>
      )}
    </li>
  </ul>
)

const pages = [
  ["start", "Getting started", "From the first start to the first saved link."],
  ["server", "On a server", "With or without a public address."],
  ["sign-in", "Signing in", "Every way, the sessions, and lost access."],
  ["dashboard", "The dashboard", "What every part of this app does."],
  ["search", "Searching", "Operators, phrases, and search by meaning."],
  ["bot", "The bot", "Every command and button of the chat."],
  ["organise", "Staying organized", "Collections, categories, tags and duplicates."],
  ["import-export", "Import and export", "The supported formats, and what is kept."],
  ["troubleshooting", "Troubleshooting", "What to do when something does not work."],
  ["http", "HTTP API", "Everything this app does, for your own programs."]
] as const

const Help = () => (
  <>
    <ul class="help-pages">
      {pages.map(([slug, title, about]) => (
        <li key={slug}>
          <a href={`/docs/${slug}`}>{title}</a>
          <span class="hint">{about}</span>
        </li>
      ))}
    </ul>
    <p>
      On the server, <code>linkbower doctor</code> checks the whole set-up and says how to fix what is wrong.
    </p>
  </>
)

/** The page with the settings of this browser, the state of the service's settings, and help. */
export const SettingsPage = () => (
  <article class="settings page">
    <PageHeader page="settings" />
    <Section title="Appearance">
      <div class="settings-choices">
        <Choice
          legend="Theme"
          setting={theme}
          choices={[
            ["system", "System"],
            ["light", "Light"],
            ["dark", "Dark"]
          ]}
        />
        <Choice
          legend="Links"
          setting={density}
          choices={[
            ["cards", "Cards"],
            ["rows", "Compact rows"]
          ]}
        />
      </div>
    </Section>
    <Section title="Reading">
      <ReadingSettings />
    </Section>
    <Section title="What is configured">
      <Configured />
    </Section>
    <Section title="Ways to add links">
      <p>
        <a class="button" href="/setup">
          Set up the bot, the extension and a model
        </a>
      </p>
      <div>
        <WaysToAdd />
      </div>
    </Section>
    <Section title="Signing in">
      <SignInSettings />
    </Section>
    <Section title="E-readers">
      <EReaderSettings />
    </Section>
    <Section title="Import, export, backup">
      <Files />
    </Section>
    <Section title="Remembered in this browser">
      <ThisBrowser />
    </Section>
    <Section title="Keyboard">
      <ShortcutSwitch />
      <ShortcutGroups />
    </Section>
    <Section title="Help">
      <Help />
    </Section>
  </article>
)
