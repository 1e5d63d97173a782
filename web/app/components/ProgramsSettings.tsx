import { useCallback, useEffect, useState } from "preact/hooks"
import { dayText } from "../../../src/shared/Format.ts"
import { ageOf } from "../age.ts"
import { api, type Job, type Scope, type Token } from "../api.ts"
import { outcomeOf } from "../jobOutcome.ts"
import { needsService } from "../state/connection.ts"
import { ask } from "../state/dialogs.ts"
import { reasonOf, tell, tellFailure } from "../state/toasts.ts"
import { Command } from "./Command.tsx"
import { Dialog, DialogHeader } from "./Dialog.tsx"
import { FormDialog, TextField } from "./FormDialog.tsx"
import { type ThingAction, ThingMenu } from "./ThingsPage.tsx"

const MAX_NAME = 60

const scopes: ReadonlyArray<readonly [scope: Scope, does: string]> = [
  ["read", "Read the library"],
  ["save", "Save links, and add to known ones"],
  ["change", "Change links, tags and collections"],
  ["delete", "Delete links"],
  ["share", "Share links on the public list"]
]

/** In days; null does not expire. */
const expiries: ReadonlyArray<readonly [days: number | null, name: string]> = [
  [30, "In 30 days"],
  [90, "In 90 days"],
  [365, "In a year"],
  [null, "Never"]
]

const DAY = 86_400_000

/** Polling interval for the result of a preview, in milliseconds. */
const POLL = 500

interface NewTokenProps {
  readonly onMade: (secret: string) => void
  readonly onClose: () => void
}

const NewToken = ({ onClose, onMade }: NewTokenProps) => {
  const [name, setName] = useState("")
  const [chosen, setChosen] = useState<ReadonlyArray<Scope>>(["read"])
  const [days, setDays] = useState<number | null>(90)
  const [problem, setProblem] = useState("")
  const make = async () => {
    const [first, ...others] = chosen
    if (first === undefined) return false
    try {
      const expiresAt = days === null ? null : new Date(Date.now() + days * DAY).toISOString()
      onMade((await api.addToken({ name: name.trim(), scopes: [first, ...others], expiresAt })).secret)
      return true
    } catch (error) {
      setProblem(reasonOf(error))
      return false
    }
  }
  return (
    <FormDialog
      title="New token"
      confirm="Make the token"
      isReady={name.trim() !== "" && chosen.length > 0}
      onSubmit={make}
      onClose={onClose}
    >
      <TextField label="Name of the program" maxLength={MAX_NAME} value={name} onValue={setName} />
      <fieldset class="choices">
        <legend>What it may do</legend>
        {scopes.map(([scope, does]) => (
          <label key={scope} class="choice">
            <input
              type="checkbox"
              checked={chosen.includes(scope)}
              onChange={({ currentTarget }) =>
                setChosen(
                  scopes
                    .map(([one]) => one)
                    .filter((one) => (one === scope ? currentTarget.checked : chosen.includes(one)))
                )
              }
            />
            {does}
          </label>
        ))}
      </fieldset>
      <label class="field">
        <b class="hint">Expires</b>
        <select
          class="input"
          value={String(days)}
          onChange={({ currentTarget }) =>
            setDays(expiries.find(([one]) => String(one) === currentTarget.value)?.[0] ?? null)
          }
        >
          {expiries.map(([value, text]) => (
            <option key={text} value={String(value)}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <p class="problem" role="alert">
        {problem}
      </p>
    </FormDialog>
  )
}

/** Shows a token's secret, once. */
const Secret = ({ onClose, secret }: { readonly secret: string; readonly onClose: () => void }) => (
  <Dialog label="The new token" onClose={onClose} guard={() => false}>
    <div class="stack">
      <DialogHeader title="The new token" onClose={onClose} />
      <p>Copy it now: it is not shown again.</p>
      <Command text={secret} />
      <div class="dialog-actions">
        <button type="button" class="button" data-kind="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  </Dialog>
)

const ended = async (job: Job): Promise<Job> => {
  if (job.state !== "running") return job
  await new Promise((resolve) => setTimeout(resolve, POLL))
  return ended((await api.job(job.id)).job)
}

/** Says what would be undone, and undoes it if the owner agrees. */
const askToUndo = async ({ id, name }: Token) => {
  try {
    const preview = await ended((await api.undoToken(id, true)).job)
    ask({
      title: `Undo all that ${name} did?`,
      text: `${outcomeOf(preview)} Only changes of the last 30 days are known. What others have changed since stays.`,
      confirm: "Undo",
      cancel: "Cancel",
      run: () =>
        void api.undoToken(id, false).then(
          () => tell(`Undoing what ${name} did. “Jobs” shows the result.`),
          (error: unknown) => tellFailure("Not undone.", error)
        )
    })
  } catch (error) {
    tellFailure("The changes could not be listed.", error)
  }
}

interface RowProps {
  readonly token: Token
  readonly onChanged: () => void
}

const Row = ({ onChanged, token }: RowProps) => {
  const { expiresAt, id, lastUsedAt, name, scopes: allowed } = token
  const actions: ReadonlyArray<ThingAction> = [
    { icon: "undo", name: `Undo all that ${name} did…`, run: () => void askToUndo(token) },
    {
      icon: "trash",
      name: "Revoke…",
      isDangerous: true,
      run: () =>
        ask({
          title: `Revoke the token of ${name}?`,
          text: "It is refused from the next request on. What the program did stays.",
          confirm: "Revoke",
          cancel: "Cancel",
          run: () =>
            void api.revokeToken(id).then(onChanged, (error: unknown) => tellFailure("Not revoked.", error))
        })
    }
  ]
  return (
    <li class="thing">
      <span class="thing-name" dir="auto">
        {name}
      </span>
      <span class="thing-facts hint">
        {allowed.join(", ")}; {lastUsedAt === null ? "never used" : `used ${ageOf(lastUsedAt)}`}
        {expiresAt === null
          ? ""
          : Date.parse(expiresAt) < Date.now()
            ? ", expired"
            : `, expires ${dayText(expiresAt)}`}
      </span>
      <ThingMenu of={name} actions={actions} />
    </li>
  )
}

/** The programs that use the library with a token: makes tokens, revokes them, and undoes what they did. */
export const ProgramsSettings = () => {
  const [tokens, setTokens] = useState<ReadonlyArray<Token>>()
  const [problem, setProblem] = useState("")
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string>()
  const load = useCallback(
    () => void api.tokens().then(setTokens, (error: unknown) => setProblem(reasonOf(error))),
    []
  )
  useEffect(load, [load])
  return (
    <>
      <p>
        A token lets a program or an agent use the library, and do no more than you allow.{" "}
        <a href="/docs/programs">What programs can do</a>
      </p>
      <p class="problem" role="alert">
        {problem}
      </p>
      {tokens === undefined ? null : (
        <ul class="things">
          {tokens.map((token) => (
            <Row key={token.id} token={token} onChanged={load} />
          ))}
        </ul>
      )}
      <p class="row">
        <button type="button" class="button" {...needsService()} onClick={() => setMaking(true)}>
          New token…
        </button>
      </p>
      {isMaking ? (
        <NewToken
          onMade={(made) => {
            setSecret(made)
            load()
          }}
          onClose={() => setMaking(false)}
        />
      ) : null}
      {secret === undefined ? null : <Secret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}
