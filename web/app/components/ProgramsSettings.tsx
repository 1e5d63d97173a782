import { useState } from "preact/hooks"
import { dayText } from "../../../src/shared/Format.ts"
import { ageOf } from "../age.ts"
import { api, type Job, type Scope, type Token } from "../api.ts"
import { outcomeOf } from "../jobOutcome.ts"
import { scopeWords } from "../scopeWords.ts"
import { ask } from "../state/dialogs.ts"
import { reasonOf, tell, tellFailure } from "../state/toasts.ts"
import { Button } from "./Button.tsx"
import { Command } from "./Command.tsx"
import { Dialog } from "./Dialog.tsx"
import { CheckBox, SelectField, TextField } from "./Fields.tsx"
import { FormDialog } from "./FormDialog.tsx"
import { Section } from "./Section.tsx"
import { ThingMenu } from "./ThingsPage.tsx"
import { type Change, useLoaded } from "./useLoaded.tsx"

const MAX_NAME = 60

const allScopes: ReadonlyArray<Scope> = ["read", "save", "change", "delete", "share"]

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
        {allScopes.map((scope) => (
          <CheckBox
            key={scope}
            checked={chosen.includes(scope)}
            about={scopeWords[scope].about}
            onChange={(isOn) =>
              setChosen(allScopes.filter((one) => (one === scope ? isOn : chosen.includes(one))))
            }
          >
            {scopeWords[scope].title}
          </CheckBox>
        ))}
      </fieldset>
      <SelectField label="Expires" value={days} choices={expiries} onChoose={setDays} />
      <p class="problem" role="alert">
        {problem}
      </p>
    </FormDialog>
  )
}

const Secret = ({ onClose, secret }: { readonly secret: string; readonly onClose: () => void }) => (
  <Dialog label="The new token" onClose={onClose} guard={() => false}>
    <div class="stack">
      <h2>The new token</h2>
      <p>Copy it now: it is not shown again.</p>
      <Command text={secret} />
      <div class="row end">
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
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

/** When a program got its access, used it and loses it. */
const timesOf = ({ client, createdAt, expiresAt, lastUsedAt }: Token): string =>
  [
    `${client === undefined ? "Made" : "Allowed"} ${ageOf(createdAt)}`,
    lastUsedAt === null ? "never used" : `last used ${ageOf(lastUsedAt)}`,
    ...(expiresAt === null
      ? []
      : [Date.parse(expiresAt) < Date.now() ? "expired" : `expires ${dayText(expiresAt)}`]),
    ...(client === undefined ? [] : [`returns to ${client.returnsTo}`])
  ].join(", ")

interface RowProps {
  readonly token: Token
  readonly change: Change
}

const Row = ({ change, token }: RowProps) => {
  const { client, id, lastUsedAt, name, scopes } = token
  const revoke = async () => {
    const isRevoked = await change(
      () => api.revokeToken(id),
      `${name} is refused from now on`,
      "Not revoked."
    )
    // A revoked token is no longer listed, so this is the moment to undo what it did.
    if (isRevoked && lastUsedAt !== null && scopes.some((scope) => scope !== "read")) await askToUndo(token)
  }
  return (
    <li class="thing">
      <span class="thing-name" dir="auto">
        {name}
      </span>
      <span class="thing-facts hint">
        May {scopes.map((scope) => scopeWords[scope].title.toLowerCase()).join(", ")}.
        <span class="thing-description">{timesOf(token)}.</span>
      </span>
      <ThingMenu
        of={name}
        actions={[
          { icon: "undo", name: `Undo all that ${name} did…`, run: () => void askToUndo(token) },
          {
            icon: "trash",
            name: client === undefined ? "Revoke…" : "Take the access away…",
            isDangerous: true,
            run: () =>
              ask({
                title: client === undefined ? `Revoke the token of ${name}?` : `Take ${name}’s access away?`,
                text: "It is refused from the next request on. What the program did stays, unless you undo it next.",
                confirm: client === undefined ? "Revoke" : "Take away",
                run: () => void revoke()
              })
          }
        ]}
      />
    </li>
  )
}

interface ListProps extends Pick<RowProps, "change"> {
  readonly tokens: ReadonlyArray<Token>
  /** The text of an empty list. */
  readonly none: string
}

const List = ({ change, none, tokens }: ListProps) =>
  tokens.length === 0 ? (
    <p class="hint">{none}</p>
  ) : (
    <ul class="things">
      {tokens.map((token) => (
        <Row key={token.id} token={token} change={change} />
      ))}
    </ul>
  )

/** The tab of the programs that the owner has let in: what each may do, its end, and undoing what it did. */
export const ProgramsSettings = () => {
  const { change, notice, reload, value: tokens } = useLoaded(api.tokens)
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string>()
  if (tokens === undefined) return <>{notice}</>
  const { allowed = [], made = [] } = Object.groupBy(tokens, ({ client }) =>
    client === undefined ? "made" : "allowed"
  )
  return (
    <>
      <Section title="Allowed programs">
        <p>
          Agents and other programs that asked for access, which you allowed.{" "}
          <a href="/docs/agents">Connect Claude, ChatGPT or an editor</a>
        </p>
        <List tokens={allowed} change={change} none="No program has been allowed." />
      </Section>
      <Section title="Tokens">
        <p>
          A token lets a program of your own, or an app made for another service, use the library.{" "}
          <a href="/docs/programs">What programs can do</a>
        </p>
        <List tokens={made} change={change} none="There is no token." />
        <p class="row">
          <Button needsService onClick={() => setMaking(true)}>
            New token…
          </Button>
        </p>
      </Section>
      {isMaking ? (
        <NewToken
          onMade={(made) => {
            setSecret(made)
            void reload()
          }}
          onClose={() => setMaking(false)}
        />
      ) : null}
      {secret === undefined ? null : <Secret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}
