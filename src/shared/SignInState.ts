/** What the page for signing in shows; it tells nothing else about the library. */
export interface SignInState {
  /** The ways to sign in here that are set up. */
  readonly ways: {
    readonly password: boolean
    readonly passkey: boolean
    /** Whether the owner's chat with the bot can be asked. */
    readonly bot: boolean
    /** The host of the OpenID Connect issuer; null if none is set up. */
    readonly oidc: string | null
  }
  /** Whether any way to sign in is set up, here or at a gateway in front of the service. */
  readonly isSetUp: boolean
  readonly isSignedIn: boolean
  /** Whether this browser has entered a one-time code, and may set up a way to sign in. */
  readonly isSettingUp: boolean
}

/** Why passkeys cannot be used at an address: it is not `https`, or it is an IP address instead of a name. */
export type PasskeyObstacle = "http" | "address"
