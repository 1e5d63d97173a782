import { Effect, Option } from "effect"
import { MODEL, Setting } from "../../domain/Configuration.ts"
import { account } from "../../enrich/MessagesApi.ts"
import { probeModel } from "../../enrich/ModelProbe.ts"
import type { ProbeFailed } from "../../enrich/ProbeFailed.ts"
import type { ServerDates } from "../../enrich/ServerDates.ts"
import { type Check, fail, type Line, off, ok, PATIENCE, warn } from "./Finding.ts"

const MEANWHILE = "links are saved without summary and tags meanwhile"

const failed = ({ reason, status }: ProbeFailed): Line => {
  switch (reason) {
    case "unreachable":
      return fail(
        MODEL,
        "its server cannot be reached",
        `See the network and ANTHROPIC_BASE_URL; ${MEANWHILE}.`
      )
    case "timeout":
      return fail(MODEL, "its server does not answer in time", `See the network; ${MEANWHILE}.`)
    case "refused":
      return fail(
        MODEL,
        `its server refuses the key (${status})`,
        "Set ANTHROPIC_API_KEY to one that counts."
      )
    case "missing":
      return fail(
        MODEL,
        "its server does not have this model (404)",
        "See that ANTHROPIC_BASE_URL is right, and that the key's workspace may use the model."
      )
    case "limited":
      return warn(MODEL, "its server limits requests (429)", `Raise the key's limit, or wait; ${MEANWHILE}.`)
    case "status":
      return fail(
        MODEL,
        `its server answers ${status}`,
        `Ask again later, and see the provider's status; ${MEANWHILE}.`
      )
    case "garbage":
      return fail(
        MODEL,
        "its server's answer is not one",
        "See that ANTHROPIC_BASE_URL speaks the Messages API."
      )
  }
}

/** Whether the language model's key and name count. */
export const model: Check<ServerDates> = Effect.gen(function* () {
  const found = yield* Effect.orElseSucceed(account, () => Option.none())
  if (Option.isNone(found)) return [off(MODEL, "ANTHROPIC_API_KEY is unset", Setting.anthropicApiKey.meaning)]
  return yield* Effect.match(probeModel(found.value, PATIENCE), {
    onSuccess: () => [ok(MODEL, "its server takes the key and has the model")],
    onFailure: (error) => [failed(error)]
  })
})
