import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON
} from "@simplewebauthn/browser"

/** What the service asks of a new passkey, and the browser's answer. */
export type PasskeyCreation = PublicKeyCredentialCreationOptionsJSON
export type CreatedPasskey = RegistrationResponseJSON

/** What the service asks of an existing passkey, and the browser's answer. */
export type PasskeyRequest = PublicKeyCredentialRequestOptionsJSON
export type UsedPasskey = AuthenticationResponseJSON

export const knowsPasskeys = (): boolean => isSecureContext && "PublicKeyCredential" in window

/** The reasons for which a browser rejects a passkey, by the names of their errors (WebAuthn level 3). */
const reasons: Readonly<Record<string, string>> = {
  NotAllowedError: "The passkey was not used: the request was cancelled, or it took too long. Try again.",
  AbortError: "The passkey was not used: the request was cancelled. Try again.",
  InvalidStateError: "This device already has a passkey for this library. Sign in with it.",
  SecurityError: "Passkeys do not work at this address. Use another way to sign in.",
  NotSupportedError: "This device cannot keep such a passkey. Use another device, or a password.",
  ConstraintError: "This device cannot keep such a passkey. Use another device, or a password."
}

const UNKNOWN = "The browser could not use a passkey. Try again, or use another way to sign in."

const failure = (error: unknown): Error =>
  new Error((error instanceof Error ? reasons[error.name] : undefined) ?? UNKNOWN)

/** Loads the library only when a passkey is used. */
const load = () =>
  import("@simplewebauthn/browser").catch(() => {
    throw new Error("Part of this page could not be loaded. Reload the page.")
  })

/** Makes a passkey; rejects with a sentence for the user. */
export const createPasskey = async (optionsJSON: PasskeyCreation): Promise<CreatedPasskey> => {
  const { startRegistration } = await load()
  return startRegistration({ optionsJSON }).catch((error: unknown) => {
    throw failure(error)
  })
}

/** Signs in with a passkey; rejects with a sentence for the user. */
export const usePasskey = async (optionsJSON: PasskeyRequest): Promise<UsedPasskey> => {
  const { startAuthentication } = await load()
  return startAuthentication({ optionsJSON }).catch((error: unknown) => {
    throw failure(error)
  })
}
