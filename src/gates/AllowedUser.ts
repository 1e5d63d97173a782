/** The claims that name a user (OpenID Connect Core 1.0, 5.1), as another server wrote them. */
export interface UserClaims {
  readonly sub?: unknown
  readonly email?: unknown
  readonly email_verified?: unknown
}

/** Whether the issuer has verified the e-mail address; some providers write the claim as text. */
export const isVerified = ({ email_verified: verified }: UserClaims): boolean =>
  verified === true || verified === "true"

/**
 * Whether the claims name the allowed user. A name with an @ is an e-mail address and is compared with nothing else; any
 * other name is a subject. Both are compared exactly, because capitals may distinguish two accounts.
 *
 * An address counts only if the issuer says that it is verified. With `trustsEmail`, it also counts if the issuer does
 * not mention it: a gateway that signs for this service alone has checked it.
 */
export const isAllowedUser = (
  claims: UserClaims,
  allowed: string,
  { trustsEmail }: { readonly trustsEmail: boolean }
): boolean => {
  if (!allowed.includes("@")) return claims.sub === allowed
  return (
    claims.email === allowed && (isVerified(claims) || (trustsEmail && claims.email_verified === undefined))
  )
}
