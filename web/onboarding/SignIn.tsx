/** @jsxImportSource preact */
import { useEffect, useRef, useState } from "preact/hooks"
import type { WaysAnswer } from "../../src/http/api/SignInApi.ts"
import { MIN_PASSWORD } from "../../src/shared/Limits.ts"
import { createPasskey, type PasskeyCreation, type PasskeyRequest, usePasskey } from "../app/passkeys.ts"
import { ask, send } from "./ask.ts"
import { BotSignIn } from "./BotSignIn.tsx"
import { Field, Form, Outcome, Submit } from "./Form.tsx"
import { Frame } from "./Frame.tsx"
import { useTask } from "./useTask.ts"

/** Why passkeys cannot be used at an address: it is not `https`, or it is an IP address instead of a name. */
type PasskeyObstacle = "http" | "address"

/** The content of the page for signing in. */
export interface SignInProps extends WaysAnswer {
  /** Why passkeys cannot be used at this address; null if they can. */
  readonly obstacle: PasskeyObstacle | null
  /** Why signing in with the provider failed, in a sentence; null if it did not. */
  readonly problem: string | null
}

const obstacles: Readonly<Record<PasskeyObstacle, string>> = {
  address:
    "Passkeys need a name, and this page was opened at an IP address. Open it at a host name, such as localhost on this machine, or use a password.",
  http: "Passkeys need an https address. Put a proxy with a certificate in front of the service, or use a password."
}

/** Opens what was asked for, now that the owner is signed in: `isFirst` leads a new owner to the set-up. */
const enter = (isFirst: boolean) => {
  if (isFirst) location.replace("/setup")
  else if (location.pathname === "/signin") location.replace("/dashboard")
  else location.reload()
}

/** Tells password managers whose password it is: the library has one owner, and no names. */
const Owner = () => (
  <input type="text" name="username" autocomplete="username" value="owner" readOnly hidden />
)

/** A button that uses a passkey, or why the browser cannot use one here. */
const PasskeyForm = ({
  children,
  label,
  obstacle,
  onSubmit,
  task
}: Pick<SignInProps, "obstacle"> & {
  readonly children: string
  readonly label: string
  readonly onSubmit: () => void
  readonly task: ReturnType<typeof useTask>
}) => (
  <Form label={label} task={task} onSubmit={onSubmit}>
    <button
      type="submit"
      class="button"
      data-kind="primary"
      aria-busy={task.isBusy}
      disabled={obstacle !== null}
    >
      {children}
    </button>
    <Outcome task={task} hint={obstacle === null ? undefined : obstacles[obstacle]} />
  </Form>
)

const PasskeySignIn = ({ obstacle }: Pick<SignInProps, "obstacle">) => {
  const task = useTask()
  const signIn = () =>
    task.run(async (options) => {
      const request = await ask<PasskeyRequest>("POST", "/signin/api/passkey/options", {
        ...options,
        body: {}
      })
      const response = await usePasskey(request)
      await send("POST", "/signin/api/passkey", { ...options, body: { response } })
      enter(false)
    })
  return (
    <PasskeyForm label="Passkey" task={task} obstacle={obstacle} onSubmit={signIn}>
      Sign in with a passkey
    </PasskeyForm>
  )
}

const PasswordSignIn = ({ isPrimary }: { readonly isPrimary: boolean }) => {
  const task = useTask()
  const [password, setPassword] = useState("")
  const form = useRef<HTMLDivElement>(null)
  const focus = () => form.current?.querySelector<HTMLInputElement>("input:not([hidden])")?.focus()
  useEffect(() => {
    if (task.problem !== "") focus()
  }, [task.problem])
  const signIn = () => {
    if (password === "") {
      task.refuse("Enter your password.")
      return focus()
    }
    task.run(async (options) => {
      await send("POST", "/signin/api/password", { ...options, body: { password } })
      enter(false)
    })
  }
  return (
    <div ref={form}>
      <Form label="Password" task={task} onSubmit={signIn}>
        <Owner />
        <Field
          label="Password"
          value={password}
          onValue={setPassword}
          describedBy="password-outcome"
          isInvalid={task.problem !== ""}
          input={{ type: "password", name: "password", autocomplete: "current-password" }}
        />
        <Submit task={task} isPrimary={isPrimary}>
          Sign in
        </Submit>
        <Outcome id="password-outcome" task={task} />
      </Form>
    </div>
  )
}

/** The page that was asked for, without the extension's token: in a query it would get into logs and the history. */
const askedFor = () => {
  const { hash, pathname, search } = location
  // After a failed attempt, the address still says what was asked for.
  if (pathname === "/signin") return new URLSearchParams(search).get("to")
  return pathname + search + (hash.startsWith("#token=") ? "" : hash)
}

/** The link to the issuer, which leads back to the page that was asked for. */
const OidcSignIn = ({ issuer }: { readonly issuer: string }) => {
  const [address, setAddress] = useState("/signin/oidc")
  useEffect(() => {
    const to = askedFor()
    if (to !== null) setAddress(`/signin/oidc?${new URLSearchParams({ to })}`)
  }, [])
  return (
    <a class="button" href={address}>
      Sign in with {issuer}
    </a>
  )
}

interface CodeProps {
  readonly onDone: () => void
}

const CodeForm = ({ onDone }: CodeProps) => {
  const task = useTask()
  const [code, setCode] = useState("")
  const submit = () => {
    if (code.trim() === "") return task.refuse("Enter the code.")
    task.run(async (options) => {
      await send("POST", "/signin/api/code", { ...options, body: { code: code.trim() } })
      onDone()
    })
  }
  return (
    <Form label="One-time code" task={task} onSubmit={submit}>
      <Field
        label="One-time code"
        value={code}
        onValue={setCode}
        describedBy="code-outcome"
        isInvalid={task.problem !== ""}
        input={{
          class: "input code-input",
          name: "code",
          autocomplete: "one-time-code",
          autocapitalize: "characters",
          spellcheck: false,
          maxLength: 40
        }}
      />
      <Submit task={task} isPrimary>
        Continue
      </Submit>
      <Outcome
        id="code-outcome"
        task={task}
        hint="It is valid for 15 minutes, and for five attempts. Then you choose a passkey or a password."
      />
    </Form>
  )
}

/** How the owner gets a one-time code, which proves access to the server. */
const WhereCodesAre = ({ command }: { readonly command: string }) => (
  <p>
    On the server, run <code>{command}</code>. In a container, run{" "}
    <code>docker compose exec linkbower {command}</code>.
  </p>
)

const NewPasskey = ({ isFirst, obstacle }: Pick<SignInProps, "obstacle"> & { readonly isFirst: boolean }) => {
  const task = useTask()
  const create = () =>
    task.run(async (options) => {
      const creation = await ask<PasskeyCreation>("POST", "/signin/api/passkeys/options", {
        ...options,
        body: {}
      })
      const response = await createPasskey(creation)
      await send("POST", "/signin/api/passkeys", { ...options, body: { response } })
      enter(isFirst)
    })
  return (
    <section class="choice" aria-labelledby="new-passkey">
      <h2 id="new-passkey">Passkey</h2>
      <p>Your fingerprint, face or screen lock opens the library. Nothing to remember, nothing to steal.</p>
      <PasskeyForm label="New passkey" task={task} obstacle={obstacle} onSubmit={create}>
        Create a passkey
      </PasskeyForm>
    </section>
  )
}

const NewPassword = ({ isFirst }: { readonly isFirst: boolean }) => {
  const task = useTask()
  const [password, setPassword] = useState("")
  const submit = () => {
    if (password.length < MIN_PASSWORD) return task.refuse(`Use at least ${MIN_PASSWORD} characters.`)
    task.run(async (options) => {
      await send("PUT", "/signin/api/password", { ...options, body: { password } })
      enter(isFirst)
    })
  }
  return (
    <section class="choice" aria-labelledby="new-password">
      <h2 id="new-password">Password</h2>
      <Form label="New password" task={task} onSubmit={submit}>
        <Owner />
        <Field
          label="New password"
          value={password}
          onValue={setPassword}
          describedBy="new-password-outcome"
          isInvalid={task.problem !== ""}
          input={{ type: "password", name: "new-password", autocomplete: "new-password" }}
        />
        <Submit task={task}>Set the password</Submit>
        <Outcome
          id="new-password-outcome"
          task={task}
          hint={`At least ${MIN_PASSWORD} characters. A sentence is good.`}
        />
      </Form>
    </section>
  )
}

const Choose = ({ isSetUp, obstacle }: Pick<SignInProps, "isSetUp" | "obstacle">) => (
  <Frame
    title="Choose how to sign in"
    lead="From now on, this opens your library. You can add other ways in the settings."
  >
    <NewPasskey obstacle={obstacle} isFirst={!isSetUp} />
    <NewPassword isFirst={!isSetUp} />
  </Frame>
)

const FirstCode = ({ onDone }: CodeProps) => (
  <Frame
    title="Set up your library"
    lead="Enter the one-time code from the service’s output. It shows that the server is yours."
  >
    <CodeForm onDone={onDone} />
    <details class="frame-details">
      <summary>Where is the code?</summary>
      <p>
        In the terminal or the log of the service. With systemd: <code>journalctl -u linkbower</code>. In a
        container: <code>docker compose logs linkbower</code>.
      </p>
      <p>For a new one:</p>
      <WhereCodesAre command="linkbower setup" />
    </details>
  </Frame>
)

type WaysProps = Pick<SignInProps, "ways" | "obstacle" | "problem"> & CodeProps

const Ways = ({ onDone, obstacle, problem, ways }: WaysProps) => {
  const hasWay = ways.passkey || ways.password || ways.bot || ways.oidc !== null
  return (
    <Frame
      title="Sign in"
      lead={
        hasWay
          ? undefined
          : "Nothing is set up to sign in at this address. Open the library at the address of your passkey, or through the access gateway or the proxy in front of it."
      }
    >
      {problem === null ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {ways.passkey ? <PasskeySignIn obstacle={obstacle} /> : null}
      {ways.password ? <PasswordSignIn isPrimary={!ways.passkey || obstacle !== null} /> : null}
      {ways.bot ? <BotSignIn onAllowed={() => enter(false)} /> : null}
      {ways.oidc === null ? null : <OidcSignIn issuer={ways.oidc} />}
      <details class="frame-details">
        <summary>{hasWay ? "Another way" : "Set up a way to sign in here"}</summary>
        <p>A one-time code lets you set a new password or add a passkey.</p>
        <WhereCodesAre command={hasWay ? "linkbower signin reset" : "linkbower setup"} />
        <CodeForm onDone={onDone} />
      </details>
    </Frame>
  )
}

const SignedIn = () => (
  <Frame title="You are signed in">
    <p>
      <a class="button" data-kind="primary" href="/dashboard">
        Open the dashboard
      </a>
    </p>
  </Frame>
)

/**
 * The page for signing in: what is set up decides what it shows. It also answers, with 403, requests for private pages;
 * then signing in opens the page that was asked for.
 */
export const SignIn = (props: SignInProps) => {
  const [isSettingUp, setSettingUp] = useState(props.isSettingUp)
  const first = useRef(true)
  useEffect(() => {
    // The heading of the next step, for screen readers; a new page is announced by its title.
    if (!first.current) document.querySelector<HTMLElement>("h1")?.focus()
    first.current = false
  }, [isSettingUp])
  const onDone = () => setSettingUp(true)
  if (props.isSignedIn) return <SignedIn />
  if (isSettingUp) return <Choose isSetUp={props.isSetUp} obstacle={props.obstacle} />
  return props.isSetUp ? (
    <Ways ways={props.ways} obstacle={props.obstacle} problem={props.problem} onDone={onDone} />
  ) : (
    <FirstCode onDone={onDone} />
  )
}
