import { useState } from "preact/hooks"
import { readableHost } from "../../../src/shared/HostName.ts"
import { MAX_PASSKEY_NAME, MAX_PASSWORD, MIN_PASSWORD } from "../../../src/shared/Limits.ts"
import { ageOf } from "../age.ts"
import { api, type Passkey, type Session, type SignInWays } from "../api.ts"
import { createPasskey, knowsPasskeys } from "../passkeys.ts"
import { ask } from "../state/dialogs.ts"
import { Button, IconButton } from "./Button.tsx"
import { TextField } from "./Fields.tsx"
import { FormDialog } from "./FormDialog.tsx"
import { type Change, useLoaded } from "./useLoaded.tsx"

/** Everything that the section shows. */
interface Loaded {
  readonly ways: SignInWays["ways"]
  readonly passkeys: ReadonlyArray<Passkey>
  readonly sessions: ReadonlyArray<Session>
}

const load = async (): Promise<Loaded> => {
  const [{ ways }, passkeys, sessions] = await Promise.all([api.ways(), api.passkeys(), api.sessions()])
  return { ways, passkeys, sessions }
}

interface PasswordDialogProps {
  /** Whether there is a password to replace. */
  readonly hasPassword: boolean
  readonly change: Change
  readonly onClose: () => void
}

const PasswordDialog = ({ change, hasPassword, onClose }: PasswordDialogProps) => {
  const [current, setCurrent] = useState("")
  const [password, setPassword] = useState("")
  return (
    <FormDialog
      title={hasPassword ? "Change the password" : "Set a password"}
      confirm={hasPassword ? "Change" : "Set"}
      isReady={password.length >= MIN_PASSWORD && (!hasPassword || current !== "")}
      onSubmit={() =>
        change(
          () => api.setPassword(password, hasPassword ? current : undefined),
          "The password is set. All other browsers are signed out.",
          "The password was not set."
        )
      }
      onClose={onClose}
    >
      {hasPassword ? (
        <TextField
          label="Current password"
          password="current-password"
          maxLength={MAX_PASSWORD}
          value={current}
          onValue={setCurrent}
        />
      ) : null}
      <TextField
        label="New password"
        password="new-password"
        maxLength={MAX_PASSWORD}
        value={password}
        onValue={setPassword}
      />
      <p class="hint">At least {MIN_PASSWORD} characters. All other browsers are signed out.</p>
    </FormDialog>
  )
}

interface RenameDialogProps {
  readonly passkey: Passkey
  readonly change: Change
  readonly onClose: () => void
}

const RenameDialog = ({ change, onClose, passkey }: RenameDialogProps) => {
  const [name, setName] = useState(passkey.name)
  return (
    <FormDialog
      title="Rename the passkey"
      confirm="Rename"
      isReady={name.trim() !== ""}
      onSubmit={() =>
        change(
          () => api.renamePasskey(passkey.id, name.trim()),
          "Passkey renamed",
          "The passkey was not renamed."
        )
      }
      onClose={onClose}
    >
      <TextField label="Name" maxLength={MAX_PASSKEY_NAME} value={name} onValue={setName} />
    </FormDialog>
  )
}

const PasskeyRow = ({
  change,
  onRename,
  passkey
}: {
  readonly passkey: Passkey
  readonly change: Change
  readonly onRename: () => void
}) => {
  const { createdAt, host, id, name, usedAt } = passkey
  return (
    <li class="thing">
      <span class="thing-name" dir="auto">
        {name}
      </span>
      <span class="thing-facts hint">
        for {readableHost(host)}, {usedAt === null ? `added ${ageOf(createdAt)}` : `used ${ageOf(usedAt)}`}
      </span>
      <span class="thing-actions">
        <IconButton icon="edit" title="Rename" label={`Rename the passkey ${name}`} onClick={onRename} />
        <IconButton
          icon="trash"
          title="Remove"
          label={`Remove the passkey ${name}`}
          onClick={() =>
            ask({
              title: "Remove the passkey?",
              text: `“${name}” will no longer open the library. The device keeps it until you remove it there too.`,
              confirm: "Remove",
              run: () =>
                void change(() => api.removePasskey(id), "Passkey removed", "The passkey was not removed.")
            })
          }
        />
      </span>
    </li>
  )
}

const ways: Readonly<Record<Session["way"], string>> = {
  code: "a one-time code",
  password: "password",
  passkey: "passkey",
  oidc: "the identity provider",
  bot: "the bot"
}

const SessionRow = ({ change, session }: { readonly session: Session; readonly change: Change }) => {
  const { address, createdAt, current, device, id, usedAt, way } = session
  return (
    <li class="thing" data-current={current}>
      <span class="thing-name">{device}</span>
      <span class="thing-facts hint">
        {current ? "this browser, " : ""}
        {address}, with {ways[way]} {ageOf(createdAt)}
        {current ? "" : `, last used ${ageOf(usedAt)}`}
      </span>
      <span class="thing-actions">
        {current ? null : (
          <Button
            needsService
            onClick={() =>
              void change(() => api.endSession(id), `${device} is signed out`, "It was not signed out.")
            }
          >
            Sign out
            <span class="visually-hidden">
              {" "}
              {device} at {address}
            </span>
          </Button>
        )}
      </span>
    </li>
  )
}

/** The section of the settings for passwords, passkeys, and the browsers in which the owner is signed in. */
export const SignInSettings = () => {
  const { change, notice, value: loaded } = useLoaded(load)
  const [open, setOpen] = useState<Passkey | "password" | null>(null)
  const addPasskey = () =>
    change(
      async () => api.addPasskey(await createPasskey(await api.beginPasskey())),
      "Passkey added",
      "No passkey was added."
    )
  if (loaded === undefined) return <>{notice}</>
  const { passkeys, sessions } = loaded
  const others = sessions.filter(({ current }) => !current).length
  const hasPassword = loaded.ways.password
  return (
    <div class="stack sign-in-settings">
      <h2>Passkeys</h2>
      {passkeys.length === 0 ? (
        <p>No passkey yet. A passkey signs you in with your fingerprint, face or screen lock.</p>
      ) : (
        <ul class="things">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              change={change}
              onRename={() => setOpen(passkey)}
            />
          ))}
        </ul>
      )}
      {knowsPasskeys() ? (
        <p class="row">
          <Button needsService onClick={() => void addPasskey()}>
            Add a passkey
          </Button>
        </p>
      ) : (
        <p class="hint">This browser offers passkeys only on https addresses with a host name.</p>
      )}
      <h2>Password</h2>
      <p class="row">
        <Button needsService onClick={() => setOpen("password")}>
          {hasPassword ? "Change the password…" : "Set a password…"}
        </Button>
        {hasPassword ? (
          <Button
            needsService
            onClick={() =>
              ask({
                title: "Remove the password?",
                text: "It will no longer open the library.",
                confirm: "Remove",
                run: () =>
                  void change(api.removePassword, "Password removed", "The password was not removed.")
              })
            }
          >
            Remove the password…
          </Button>
        ) : null}
      </p>
      <h2>Signed in</h2>
      {sessions.length === 0 ? (
        <p>You are signed in through the gateway or the proxy in front of the service.</p>
      ) : (
        <ul class="things">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} change={change} />
          ))}
        </ul>
      )}
      <p class="row">
        {others === 0 ? null : (
          <Button
            needsService
            onClick={() =>
              void change(
                api.endOtherSessions,
                "All other browsers are signed out",
                "They were not signed out."
              )
            }
          >
            Sign out everywhere else
          </Button>
        )}
      </p>
      {open === null ? null : open === "password" ? (
        <PasswordDialog hasPassword={hasPassword} change={change} onClose={() => setOpen(null)} />
      ) : (
        <RenameDialog passkey={open} change={change} onClose={() => setOpen(null)} />
      )}
    </div>
  )
}
