import { Option } from "effect"
import { isLoopback } from "./Loopback.ts"

/** A team of the access gateway: who signs, and where its keys are. */
export interface Team {
  /** The `iss` of its tokens: the team's address without a slash at its end. */
  readonly issuer: string
  readonly certs: URL
}

/**
 * Reads ACCESS_TEAM_DOMAIN, with or without `https://` and a slash at the end.
 *
 * None for anything but a bare address; plain http is taken for a loopback host alone.
 */
export const parseTeam = (text: string): Option.Option<Team> => {
  const url = URL.parse(text.includes("://") ? text : `https://${text}`)
  const bare =
    url !== null && `${url.username}${url.password}${url.search}${url.hash}` === "" && url.pathname === "/"
  if (!bare || !(url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)))) {
    return Option.none()
  }
  return Option.some({ issuer: url.origin, certs: new URL("/cdn-cgi/access/certs", url) })
}
