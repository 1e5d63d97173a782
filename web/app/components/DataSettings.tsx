import { useEffect } from "preact/hooks"
import { count, dayText, grouped, sizeText } from "../../../src/shared/Format.ts"
import { ageOf, timeOf } from "../age.ts"
import { api, type Backups } from "../api.ts"
import { open } from "../state/dialogs.ts"
import { tellFailure } from "../state/toasts.ts"
import { Button } from "./Button.tsx"
import { Select } from "./Fields.tsx"
import { Icon } from "./Icon.tsx"
import { Section } from "./Section.tsx"
import { useLoaded } from "./useLoaded.tsx"

/** As the service writes durations, and as it reads them. */
const intervals = [
  ["off", "Never"],
  ["12h", "Every 12 hours"],
  ["1d", "Every day"],
  ["7d", "Every week"]
] as const
const kept = [3, 7, 14, 30]

/** Polling interval while a backup is being made, in milliseconds. */
const POLL = 1_000

const within = <A,>(choices: ReadonlyArray<A>, chosen: A) =>
  choices.includes(chosen) ? choices : [chosen, ...choices]

interface ScheduleProps {
  readonly state: Backups
  readonly onChange: (settings: { readonly every?: string; readonly keep?: number }) => void
}

const Schedule = ({ onChange, state: { every, keep, nextAt, writesTo } }: ScheduleProps) => {
  const names = new Map<string, string>(intervals)
  const isFixed = writesTo === null
  return (
    <>
      <p class="row">
        <label class="row">
          Back up
          <Select
            disabled={isFixed}
            value={every}
            choices={within([...names.keys()], every).map((one) => [one, names.get(one) ?? `Every ${one}`])}
            onChoose={(every) => onChange({ every })}
          />
        </label>
        {every === "off" ? null : (
          <label class="row">
            and keep
            <Select
              disabled={isFixed}
              value={keep}
              choices={within(kept, keep).map((one) => [one, `the last ${one}`])}
              onChoose={(keep) => onChange({ keep })}
            />
          </label>
        )}
      </p>
      <p class="hint">
        {nextAt === null ? null : `The next one is due ${ageOf(nextAt)}. `}
        {isFixed
          ? "The service cannot write its settings here: set BACKUP_EVERY and BACKUP_KEEP where it reads them. "
          : null}
        They lie in the folder <code>backups</code> beside the library: copy them to another machine too.{" "}
        <a href="/docs/backup">Copy and restore</a>
      </p>
    </>
  )
}

const BackupList = ({ backups }: Pick<Backups, "backups">) =>
  backups.length === 0 ? (
    <p>There is no backup yet.</p>
  ) : (
    <ul class="things">
      {backups.map(({ bytes, createdAt, name }) => (
        <li key={name} class="thing">
          <span class="thing-name">
            <Icon name="check" />
            <time dateTime={createdAt} title={timeOf(createdAt)}>
              {dayText(createdAt)}
            </time>
          </span>
          <span class="thing-facts hint">
            {ageOf(createdAt)}, {sizeText(bytes)}, complete and checked when it was made. <code>{name}</code>
          </span>
        </li>
      ))}
    </ul>
  )

const BackupsOf = ({ set, state }: { readonly state: Backups; readonly set: (state: Backups) => void }) => {
  const isRunning = state.state === "running"
  const failed = (error: unknown) => tellFailure("Not changed.", error)
  return (
    <Section title="Backups">
      <Schedule state={state} onChange={(settings) => void api.setBackups(settings).then(set, failed)} />
      {state.error === null ? null : (
        <p class="problem" role="alert">
          The last backup could not be made: {state.error}
        </p>
      )}
      <BackupList backups={state.backups} />
      <p class="row">
        <Button disabled={isRunning} needsService onClick={() => void api.makeBackup().then(set, failed)}>
          Back up now
        </Button>
        <span class="hint" role="status">
          {isRunning ? "A backup is being made and checked…" : ""}
        </span>
      </p>
    </Section>
  )
}

/** What the zip with everything has, in words. */
const contentsOf = ({ export: { bytes, links, pages, pictures, snapshots, trashed } }: Backups) =>
  `${count(links, "link")}, ${count(pages, "kept page")}, ${count(pictures, "picture")}, ${count(snapshots, "snapshot")} and ${grouped(trashed)} in the trash; about ${sizeText(bytes)}`

export const DataSettings = () => {
  const { notice, reload, set, value: state } = useLoaded(api.backups)
  useEffect(() => {
    if (state?.state !== "running") return
    const timer = setTimeout(() => void reload(), POLL)
    return () => clearTimeout(timer)
  }, [state, reload])
  const isEmpty = state !== undefined && state.export.links + state.export.trashed === 0
  return (
    <>
      <Section title="Import">
        <p>Bookmarks of any browser, exports of other products, tables and lists of addresses.</p>
        <p>
          <Button icon="upload" onClick={() => open({ kind: "import" })}>
            Import a file…
          </Button>
        </p>
      </Section>
      <Section title="Export">
        <p>
          {isEmpty
            ? "There is nothing to export yet."
            : "JSON has every link, HTML is for browsers, CSV for spreadsheets. The zip has everything: kept pages and their versions, pictures, highlights, the trash."}
        </p>
        <p class="row">
          <Button icon="download" disabled={isEmpty} onClick={() => open({ kind: "export" })}>
            Export…
          </Button>
          {isEmpty ? null : (
            <a class="button" href="/dashboard/api/export?format=full" download>
              <Icon name="download" />
              Everything, as a zip
            </a>
          )}
        </p>
        {state === undefined || isEmpty ? null : <p class="hint">The zip: {contentsOf(state)}.</p>}
      </Section>
      {state === undefined ? notice : <BackupsOf state={state} set={set} />}
    </>
  )
}
