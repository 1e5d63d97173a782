import { useEffect, useRef } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { open } from "../state/dialogs.ts"
import { meta } from "../state/meta.ts"
import { dismissedCount, forgetDismissed } from "../state/notDuplicates.ts"
import { density, sharing, theme } from "../state/preferences.ts"
import { route } from "../state/route.ts"
import { Button } from "./Button.tsx"
import { ConnectionSettings } from "./ConnectionSettings.tsx"
import { DataSettings } from "./DataSettings.tsx"
import { choosing, Segments } from "./Fields.tsx"
import { WaysToAdd } from "./FirstRun.tsx"
import { Icon } from "./Icon.tsx"
import { PageHeader } from "./PageHeader.tsx"
import { ProgramsSettings } from "./ProgramsSettings.tsx"
import { EReaderSettings, ReadingSettings } from "./ReadingSettings.tsx"
import { Section } from "./Section.tsx"
import { publicListAddress } from "./ShareDialog.tsx"
import { ShortcutSwitch } from "./Shortcuts.tsx"
import { SignInSettings } from "./SignInSettings.tsx"

const ThisBrowser = () => (
  <ul class="divided">
    <li class="row">
      <span>
        {sharing.value === "known"
          ? "Sharing was explained here; links are shared without asking."
          : "Before the first link is shared, a dialog explains who will see it."}
      </span>
      {sharing.value === "known" ? (
        <Button
          class="button push"
          onClick={() => {
            sharing.value = "ask"
          }}
        >
          Ask again
        </Button>
      ) : null}
    </li>
    <li class="row">
      <span>
        {dismissedCount.value === 0
          ? "No groups are marked as not duplicates."
          : `${count(dismissedCount.value, "group is", "groups are")} marked as not duplicates, and hidden.`}
      </span>
      {dismissedCount.value === 0 ? null : (
        <Button class="button push" onClick={forgetDismissed}>
          Show them again
        </Button>
      )}
    </li>
  </ul>
)

const docs = [
  ["start", "Getting started", "From the first start to the first saved link."],
  ["server", "On a server", "With or without a public address."],
  ["sign-in", "Signing in", "Every way, the sessions, and lost access."],
  ["dashboard", "The dashboard", "What every part of this app does."],
  ["search", "Searching", "Operators, phrases, and search by meaning."],
  ["bot", "The bot", "Every command and button of the chat."],
  ["organise", "Staying organized", "Collections, categories, tags and duplicates."],
  ["import-export", "Import and export", "The supported formats, and what is kept."],
  ["troubleshooting", "Troubleshooting", "What to do when something does not work."],
  ["programs", "Programs and agents", "Tokens, MCP, and what programs may do."],
  ["http", "HTTP API", "Everything this app does, for your own programs."]
] as const

const General = () => (
  <>
    <Section title="Appearance">
      <div class="row settings-choices">
        <Segments
          legend="Theme"
          {...choosing(theme)}
          choices={["system", "light", "dark"]}
          names={{ system: "System", light: "Light", dark: "Dark" }}
        />
        <Segments
          legend="Links"
          {...choosing(density)}
          choices={["cards", "rows"]}
          names={{ cards: "Cards", rows: "Compact rows" }}
        />
      </div>
    </Section>
    <Section title="Keyboard">
      <ShortcutSwitch />
      <p>
        <Button icon="keyboard" onClick={() => open({ kind: "shortcuts" })}>
          Keyboard shortcuts
        </Button>
      </p>
    </Section>
    <Section title="Remembered in this browser">
      <ThisBrowser />
    </Section>
  </>
)

const Saving = () => (
  <Section title="Ways to add links">
    <div>
      <WaysToAdd />
    </div>
  </Section>
)

const Reading = () => (
  <>
    <Section title="Kept pages">
      <ReadingSettings />
    </Section>
    <Section title="E-readers">
      <EReaderSettings />
    </Section>
  </>
)

const About = () => (
  <>
    <Section title="Help">
      <ul class="help-pages">
        {docs.map(([slug, title, about]) => (
          <li key={slug}>
            <a href={`/docs/${slug}`}>{title}</a>
            <span class="hint">{about}</span>
          </li>
        ))}
      </ul>
      <p>
        On the server, <code>linkbower doctor</code> checks the whole set-up and says how to fix what is
        wrong.
      </p>
    </Section>
    <Section title="This library">
      <p class="row">
        <a class="button" href="/dashboard/statistics">
          <Icon name="chart" />
          Statistics
        </a>
        <a class="button" href="/list">
          <Icon name="share" />
          Public list
        </a>
        <Button icon="clock" onClick={() => open({ kind: "history" })}>
          Changes made here
        </Button>
      </p>
      <p class="hint">
        Linkbower {meta.value?.version}. The public list is at <a href="/list">{publicListAddress()}</a>.
      </p>
    </Section>
  </>
)

/** The tabs in their order; the address of each is `#` and its name. */
const tabs = {
  general: { name: "General", Tab: General },
  saving: { name: "Saving", Tab: Saving },
  reading: { name: "Reading", Tab: Reading },
  connections: { name: "Connections", Tab: ConnectionSettings },
  programs: { name: "Programs", Tab: ProgramsSettings },
  "sign-in": { name: "Sign-in", Tab: SignInSettings },
  data: { name: "Data", Tab: DataSettings },
  about: { name: "About", Tab: About }
} as const
type TabName = keyof typeof tabs

const isTab = (name: string): name is TabName => name in tabs

export const SettingsPage = () => {
  // A click on a tab makes another route of the same page.
  void route.value
  const hash = location.hash.slice(1)
  const shown: TabName = isTab(hash) ? hash : "general"
  const { name, Tab } = tabs[shown]
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    const tab = bar.current?.querySelector("[aria-current]")
    tab?.scrollIntoView({ block: "nearest", inline: "center" })
  }, [shown])
  return (
    <article class="page">
      <PageHeader page="settings" />
      <nav ref={bar} class="tabs" aria-label="Settings">
        {Object.entries(tabs).map(([tab, { name }]) => (
          <a key={tab} href={`/dashboard/settings#${tab}`} aria-current={tab === shown ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <section key={shown} class="stack settings-tab" aria-label={name}>
        <Tab />
      </section>
    </article>
  )
}
