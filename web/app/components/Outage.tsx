import { isSignedOut, OUTAGE, outage } from "../state/connection.ts"
import { meta } from "../state/meta.ts"

/** The notice shown once the session has ended, also in an open dialog; signing in elsewhere keeps what was typed. */
export const SignedOut = () => (
  <div class="signed-out" role="status">
    {isSignedOut.value ? (
      <p>
        <strong>You are signed out.</strong> What you typed stays here.{" "}
        <a href="/dashboard" target="_blank" rel="noopener">
          Sign in again
        </a>{" "}
        in a new tab, then come back.
      </p>
    ) : null}
  </div>
)

/** The banner shown while the service cannot be reached, or says that a part of it fails; it goes away with that. */
export const Outage = () => (
  <div class="outage" role="status">
    {outage.value === undefined ? (
      meta.value?.problems.map(({ name, text }) => <p key={name}>{text}</p>)
    ) : (
      <p id={OUTAGE}>
        <strong>{outage.value}</strong> You can read what is loaded. Searches and changes have to wait.
      </p>
    )}
  </div>
)
