import { Duration, Effect, Either, Option } from "effect"
import { publicAddress } from "../config/Addresses.ts"
import { modelInUse } from "../config/ModelChoice.ts"
import { Embedder } from "../enrich/embedding/Embedder.ts"
import { fetchHealth, type ProbeError, ServerDates } from "../enrich/fetch/Probe.ts"
import { probeModel } from "../enrich/model/LanguageModel.ts"
import { explainProbe } from "../enrich/model/ProbeReport.ts"
import { PageCheck } from "../enrich/PageCheck.ts"
import { rateLimit } from "../enrich/repository/GitHub.ts"
import { Service } from "../runtime/Services.ts"
import { CheckStore } from "../store/links/CheckStore.ts"

/** How a part answered: a sentence without secrets. */
export interface Tested {
  readonly works: boolean
  readonly says: string
}

/** A local model may have to be loaded first. */
const TIMEOUT = Duration.seconds(20)
/** How many sites are asked until one answers. */
const SITES = 3

const works = (says: string): Tested => ({ works: true, says })
const fails = (says: string): Tested => ({ works: false, says })

const said: Readonly<Record<ProbeError["reason"], string>> = {
  unreachable: "cannot be reached",
  timeout: "does not answer in time",
  refused: "denies access",
  missing: "answers that there is nothing at this address",
  limited: "limits requests",
  status: "answers with an error",
  garbage: "sent an unexpected response"
}

const make = Effect.gen(function* () {
  const embedder = yield* Embedder
  const pages = yield* PageCheck
  const store = yield* CheckStore

  const model = Effect.gen(function* () {
    const choice = yield* modelInUse
    if (Option.isNone(choice)) return Option.none<Tested>()
    return Option.some(
      yield* Effect.match(Effect.provide(probeModel(choice.value, TIMEOUT), ServerDates.layer), {
        onSuccess: () => works("Its server answers, and has the model."),
        onFailure: (error) => {
          const { advice, detail } = explainProbe(choice.value, error)
          return fails(`${detail[0]?.toUpperCase()}${detail.slice(1)}. ${advice}`)
        }
      })
    )
  })

  const embeddings = Effect.match(embedder.current.embed(["bower"], "links"), {
    onSuccess: ([vector]) => Option.some(works(`It makes vectors of ${vector?.length ?? 0} dimensions.`)),
    onFailure: ({ reason }) => Option.some(fails(`${reason}. Until it answers, searches use words only.`))
  })

  const reading = Effect.gen(function* () {
    const found = yield* store.found([], SITES)
    const hosts: Array<string> = []
    for (const address of found) {
      const url = new URL(address)
      if (yield* pages.answers(url)) return Option.some(works(`${url.host} answers.`))
      hosts.push(url.host)
    }
    return hosts.length === 0
      ? Option.none<Tested>()
      : Option.some(fails(`No answer from ${hosts.join(", ")}. Check the server's network.`))
  })

  const github = Effect.match(Effect.provide(rateLimit(Duration.toMillis(TIMEOUT)), ServerDates.layer), {
    onSuccess: ({ limit, remaining }) =>
      Option.some(
        works(
          `${remaining.toLocaleString("en")} of ${limit.toLocaleString("en")} requests are left this hour.`
        )
      ),
    onFailure: (error) =>
      Option.some(
        fails(
          error._tag === "ProbeFailed" ? `GitHub ${said[error.reason]}.` : "GITHUB_API_URL is not usable."
        )
      )
  })

  const address = Effect.gen(function* () {
    const url = yield* publicAddress
    if (Option.isNone(url)) return Option.none<Tested>()
    const found = yield* Effect.either(fetchHealth(url.value, TIMEOUT))
    return Option.some(
      Either.isRight(found)
        ? works("A Linkbower answers there.")
        : fails(`The address ${said[found.left.reason]} when the service asks itself.`)
    )
  })

  const tests = { model, embedder: embeddings, pages: reading, github, address }
  return {
    /** Asks a part with one request, for at most the time limit; none if the part is not set up. */
    test: Effect.fn("TestConnections.test")((part: keyof typeof tests) =>
      tests[part].pipe(
        Effect.timeoutTo({
          duration: TIMEOUT,
          onSuccess: (tested: Option.Option<Tested>) => tested,
          onTimeout: () => Option.some(fails("It does not answer in time."))
        })
      )
    )
  }
})

export class TestConnections extends Service<TestConnections>()("TestConnections", make) {}
