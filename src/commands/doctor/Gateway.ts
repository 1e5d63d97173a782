import { Effect, Option } from "effect"
import { Setting } from "../../domain/Configuration.ts"
import { type NoKeys, usableKeys } from "../../gates/AccessKeys.ts"
import { parseTeam } from "../../gates/TeamDomain.ts"
import { count } from "../InWords.ts"
import { fail, type Line, off, ok } from "./Finding.ts"

const NOT_A_TEAM = "Set ACCESS_TEAM_DOMAIN to your team's address, such as https://team.cloudflareaccess.com."
const UNREACHED = "See that this machine reaches it; nobody new gets into the dashboard until it does."

const reasons: Record<NoKeys["reason"], readonly [detail: string, advice: string]> = {
  unreachable: ["it cannot be reached", UNREACHED],
  timeout: ["it does not answer in time", UNREACHED],
  status: ["it answers with an error or a redirect", NOT_A_TEAM],
  "too-large": ["its answer is too large for a key set", NOT_A_TEAM],
  "not-a-key-set": ["its answer is no key set", NOT_A_TEAM],
  "no-usable-key": ["it has no RS256 key", NOT_A_TEAM]
}

/** Whether the access gateway's keys can be had. */
export const gateway = Effect.gen(function* () {
  const domain = yield* Effect.orElseSucceed(Setting.accessTeamDomain.config, Option.none)
  const audience = yield* Effect.orElseSucceed(Setting.accessAud.config, Option.none)
  if (Option.isNone(domain) || Option.isNone(audience))
    return [
      off(
        "key server",
        "ACCESS_TEAM_DOMAIN and ACCESS_AUD are not both set",
        "Set both to open the dashboard to those whom Cloudflare Access lets in."
      )
    ]
  const team = parseTeam(domain.value)
  if (Option.isNone(team)) return [fail("key server", "ACCESS_TEAM_DOMAIN is no team's address", NOT_A_TEAM)]
  const { issuer } = team.value
  return yield* Effect.match(usableKeys(team.value), {
    onSuccess: (keys): ReadonlyArray<Line> => [ok("key server", `${issuer}: ${count(keys, "RS256 key")}`)],
    onFailure: ({ reason }) => {
      const [detail, advice] = reasons[reason]
      return [fail("key server", `${issuer}: ${detail}`, advice)]
    }
  })
})
