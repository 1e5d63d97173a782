import { existsSync } from "node:fs"
import {
  FetchHttpClient,
  HttpApiClient,
  HttpClient,
  type HttpClientError,
  HttpClientRequest,
  type HttpClientResponse
} from "@effect/platform"
import { Data, Effect, Option, Redacted, Schema } from "effect"
import { Setting } from "../../config/Configuration.ts"
import type { AddedLink } from "../../domain/Capture.ts"
import { announced } from "../../gates/TerminalKey.ts"
import { ServedApi } from "../../http/api/Api.ts"
import type { Mutation } from "../../http/api/Bodies.ts"
import { OWNERS_API } from "../../http/api/Scopes.ts"
import { Service } from "../../runtime/Services.ts"
import { withoutControls } from "../../runtime/Terminal.ts"
import type { Params } from "../../shared/ListParameters.ts"
import { dataFolder } from "../../store/DataFolder.ts"
import { Lock } from "../../store/Lock.ts"
import { ExitCode } from "../Program.ts"
import { LocalLibrary } from "./LocalLibrary.ts"

/** The library does not do what it was asked for; `message` tells the user why. */
export class LibraryFailed extends Data.TaggedError("LibraryFailed")<{
  readonly message: string
  readonly exitCode: number
}> {}

/** How long a request may take; the longest wait for a place in the library. */
const PATIENCE = "60 seconds"

const V1 = "/api/v1"

const programsPath = (url: string) =>
  url.startsWith(`${OWNERS_API}/`) ? V1 + url.slice(OWNERS_API.length) : url

const Refusal = Schema.Struct({
  error: Schema.String,
  message: Schema.String,
  needs: Schema.optional(Schema.String)
})
const refusalIn = Schema.decodeUnknownOption(Schema.parseJson(Refusal))

const renewing = "Make one with `linkbower token add NAME --scope read,save,change` and set LINKBOWER_TOKEN."

const strange = (place: string) =>
  new LibraryFailed({
    message: `${place} does not answer like a Linkbower of this version. Check LINKBOWER_URL, which is the address without /dashboard.`,
    exitCode: ExitCode.unreachable
  })

const refused = (place: string, { headers, status }: HttpClientResponse.HttpClientResponse, body: string) => {
  if (status >= 300 && status < 400)
    return new LibraryFailed({
      message: `${place} redirects to ${withoutControls(headers["location"] ?? "another address")}. Set LINKBOWER_URL to an address that programs reach without signing in.`,
      exitCode: ExitCode.unreachable
    })
  const said = refusalIn(body)
  if (Option.isNone(said)) return strange(place)
  const { message, needs } = said.value
  if (status === 401)
    return new LibraryFailed({
      message: `${place} refuses the token: it is wrong, expired or revoked. ${renewing}`,
      exitCode: ExitCode.refused
    })
  if (status === 403)
    return new LibraryFailed({
      message:
        needs === undefined
          ? withoutControls(message)
          : `The token lacks the scope ${withoutControls(needs)}. Make one that has it with \`linkbower token add\`.`,
      exitCode: ExitCode.refused
    })
  return new LibraryFailed({
    message: withoutControls(message),
    exitCode: status === 404 ? ExitCode.missing : ExitCode.failed
  })
}

const unreachable = (place: string, error: HttpClientError.HttpClientError) => {
  const { cause } = error
  const code = cause instanceof Error && "code" in cause ? ` (${withoutControls(String(cause.code))})` : ""
  return new LibraryFailed({
    message: `${place} does not answer${code}. Check that the service runs, and LINKBOWER_URL.`,
    exitCode: ExitCode.unreachable
  })
}

/** Sends requests to the programs' API at `base`; every answer but a success fails with a sentence for the user. */
const asProgram = (client: HttpClient.HttpClient, base: string, token: Redacted.Redacted, place: string) =>
  client.pipe(
    HttpClient.mapRequest((request) =>
      request.pipe(
        HttpClientRequest.setUrl(base + programsPath(request.url)),
        HttpClientRequest.bearerToken(token),
        HttpClientRequest.acceptJson
      )
    ),
    HttpClient.transformResponse((response) =>
      response.pipe(
        Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
        Effect.mapError((error) => unreachable(place, error)),
        Effect.timeoutFail({
          duration: PATIENCE,
          onTimeout: () =>
            new LibraryFailed({
              message: `${place} takes too long to answer.`,
              exitCode: ExitCode.unreachable
            })
        }),
        Effect.filterOrElse(
          ({ status }) => status >= 200 && status < 300,
          (answer) =>
            Effect.flatMap(
              Effect.orElseSucceed(answer.text, () => ""),
              (body) => refused(place, answer, body)
            )
        )
      )
    )
  )

/**
 * Returns where the service of this machine listens; none if no service runs. A service that was killed leaves its file
 * behind, but not its lock.
 */
const runningService = Effect.gen(function* () {
  const folder = yield* Setting.dataDir.config
  const { lock, running } = dataFolder(folder)
  // Taking the lock would create the folder.
  if (!existsSync(lock)) return Option.none()
  const isFree = Effect.orElseSucceed(Effect.scoped(Lock.ifFree(folder)), () => false)
  if (yield* isFree) return Option.none()
  return Option.some(
    yield* Effect.mapError(
      yield* announced(running),
      () =>
        new LibraryFailed({
          message: `Another Linkbower uses the library in ${folder}, but is not ready. Try again in a moment.`,
          exitCode: ExitCode.unreachable
        })
    )
  )
})

/**
 * Finds the library that commands work with: at LINKBOWER_URL; else through the service that runs on this machine; else
 * the library of this machine itself. A token limits what they may do there too.
 */
const connection = Effect.gen(function* () {
  const address = yield* Setting.linkbowerUrl.config
  const token = yield* Setting.linkbowerToken.config
  const fetching = Effect.provide(HttpClient.HttpClient, FetchHttpClient.layer)
  if (Option.isSome(address)) {
    // The address of the dashboard, as a browser shows it, is understood too.
    const base = `${address.value.origin}${address.value.pathname}`.replace(
      /(\/dashboard|\/api\/v1)?\/*$/,
      ""
    )
    if (Option.isNone(token))
      return yield* new LibraryFailed({
        message: `The library at ${base} needs a token. ${renewing}`,
        exitCode: ExitCode.refused
      })
    return asProgram(yield* fetching, base, token.value, base)
  }
  const running = yield* runningService
  if (Option.isSome(running)) {
    const { secret, url } = running.value
    const own = Option.getOrElse(token, () => Redacted.make(secret))
    return asProgram(yield* fetching, url, own, `The service at ${url}`)
  }
  const { client, secret } = yield* Effect.flatten(LocalLibrary)
  const own = Option.getOrElse(token, () => Redacted.make(secret))
  return asProgram(client, "http://localhost", own, "The library")
})

const make = Effect.map(connection, (httpClient) => {
  const understood = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.mapError(work, (error) => (error instanceof LibraryFailed ? error : strange("The service")))
  // Each endpoint is made where it is used, because making one costs milliseconds.
  return {
    /** For requests that no method here makes. */
    httpClient,
    links: (urlParams: Params) =>
      HttpApiClient.endpoint(ServedApi, { group: "dashboard", endpoint: "links", httpClient }).pipe(
        Effect.flatMap((links) => links({ urlParams })),
        understood
      ),
    link: (id: number) =>
      HttpApiClient.endpoint(ServedApi, { group: "dashboard", endpoint: "link", httpClient }).pipe(
        Effect.flatMap((link) => link({ path: { id } })),
        understood
      ),
    save: (payload: typeof AddedLink.Type) =>
      HttpApiClient.endpoint(ServedApi, { group: "programs", endpoint: "save", httpClient }).pipe(
        Effect.flatMap((save) => save({ payload, headers: {} })),
        understood
      ),
    tag: (payload: Extract<Mutation, { readonly op: "tags" }>) =>
      HttpApiClient.endpoint(ServedApi, { group: "dashboard", endpoint: "mutate", httpClient }).pipe(
        Effect.flatMap((mutate) => mutate({ payload, urlParams: { links: "all" } })),
        understood
      ),
    undo: (payload: Extract<Mutation, { readonly op: "undo" }>) =>
      HttpApiClient.endpoint(ServedApi, { group: "dashboard", endpoint: "mutate", httpClient }).pipe(
        Effect.flatMap((mutate) => mutate({ payload, urlParams: { links: "all" } })),
        understood
      ),
    tags: HttpApiClient.endpoint(ServedApi, { group: "things", endpoint: "tags", httpClient }).pipe(
      Effect.flatMap((tags) => tags({})),
      understood
    ),
    collections: HttpApiClient.endpoint(ServedApi, {
      group: "things",
      endpoint: "collections",
      httpClient
    }).pipe(
      Effect.flatMap((collections) => collections({})),
      understood
    )
  }
})

/** The library with which a command works, by the API that the service declares. */
export class Client extends Service<Client>()("Client", make) {}
