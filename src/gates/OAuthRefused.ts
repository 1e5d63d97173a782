import { Data } from "effect"

/** A refusal, with the code of OAuth (RFC 6749, 4.1.2.1 and 5.2; RFC 7591, 3.2.2; RFC 8707, 2). */
export class OAuthRefused extends Data.TaggedError("OAuthRefused")<{
  readonly error:
    | "access_denied"
    | "invalid_client"
    | "invalid_client_metadata"
    | "invalid_grant"
    | "invalid_redirect_uri"
    | "invalid_request"
    | "invalid_scope"
    | "invalid_target"
    | "slow_down"
    | "unsupported_grant_type"
    | "unsupported_response_type"
  readonly message: string
  /** When to try again, in seconds. */
  readonly wait?: number
  /** The program and its address, if the address is known to be its own. */
  readonly from?: { readonly name: string; readonly place: string; readonly location: string }
}> {}

export const refuse = (error: OAuthRefused["error"], message: string) => new OAuthRefused({ error, message })

export const slowDown = (wait: number) =>
  new OAuthRefused({ error: "slow_down", message: "Too many requests. Try again later.", wait })
