import { createHash } from "node:crypto"
import { HttpApiBuilder, HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Duration, Effect, Option, Schema } from "effect"
import { MAX_CAPTURE_WAIT, Setting } from "../config/Configuration.ts"
import { CurrentAuthor } from "../domain/Author.ts"
import type { AddedLink, Capture } from "../domain/Capture.ts"
import type { Token } from "../domain/Token.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { clientOf, isPrivateAddress } from "../gates/ClientAddress.ts"
import { currentToken } from "../gates/Programs.ts"
import { CaptureLink } from "../library/CaptureLink.ts"
import { normalizeCollectionPath } from "../shared/CollectionPath.ts"
import { Api } from "./api/Api.ts"
import { BadRequest, invalidCollection } from "./api/Failures.ts"
import type { CaptureHeaders } from "./api/Parameters.ts"
import { ProgramSaved } from "./api/TokensApi.ts"

/** A longer one is replaced by its digest, because truncation could make two keys equal. */
const MAX_KEY = 200

const keyOf = (given: string | undefined) => {
  if (!given) return crypto.randomUUID()
  return given.length <= MAX_KEY ? given : createHash("sha256").update(given).digest("hex")
}

interface CaptureRequest<A> {
  readonly payload: A
  readonly headers: typeof CaptureHeaders.Type
}

const collectionOf = Effect.fnUntraced(function* ({
  collection: path
}: {
  readonly collection?: string | undefined
}) {
  if (path === undefined) return {}
  const collection = normalizeCollectionPath(path)
  return collection === null ? yield* invalidCollection() : { collection }
})

const invalidAddress = () => new BadRequest('The field "url" must be an http or https address.')

/**
 * Stores the request's capture, waits a while for its save and answers; the response reveals nothing about the library.
 */
const submitCapture = Effect.fn("Capture.submit")(function* (
  captures: CaptureLink["Type"],
  { headers, payload }: CaptureRequest<Capture>
) {
  const url = parseWebUrl(payload.url)
  if (Option.isNone(url)) return yield* invalidAddress()
  const key = keyOf(headers["idempotency-key"])
  const configured = Effect.orElseSucceed(Setting.captureWait.config, () => MAX_CAPTURE_WAIT)
  const wait = Duration.min(yield* configured, MAX_CAPTURE_WAIT)
  const capture = { ...payload, ...(yield* collectionOf(payload)) }
  const client = yield* Effect.flatMap(HttpServerRequest.HttpServerRequest, clientOf)
  const isNear = isPrivateAddress(client.address) && !client.isUnnamedProxy
  return yield* captures.submit(capture, url.value, key, { wait, isNear })
})

/** Adds a link for the owner or a program, and answers as soon as it is in the library. */
export const addLink = Effect.fn("Capture.add")(function* (
  captures: CaptureLink["Type"],
  { headers, payload }: CaptureRequest<AddedLink>,
  program?: Token
) {
  const url = parseWebUrl(payload.url)
  if (Option.isNone(url)) return yield* invalidAddress()
  const added = { ...payload, ...(yield* collectionOf(payload)) }
  const key = keyOf(headers["idempotency-key"])
  // A key of one program says nothing about another's.
  const own = program === undefined ? key : keyOf(`token ${program.id} ${key}`)
  return yield* captures.add(added, url.value, own, program?.scopes)
})

const savedAnswer = Schema.encodeSync(ProgramSaved)

/** Saves a link for a program: only a token that can read gets the link. */
const saveForProgram = Effect.fn("Capture.saveForProgram")(function* (
  captures: CaptureLink["Type"],
  request: CaptureRequest<AddedLink>
) {
  const program = yield* currentToken
  const { existing, link, url } = yield* addLink(captures, request, program)
  return program?.scopes.includes("read") === true && link !== undefined
    ? HttpServerResponse.unsafeJson(savedAnswer({ link, existing }), { status: 201 })
    : { status: "accepted" as const, url }
})

export const programs = HttpApiBuilder.group(
  Api,
  "programs",
  Effect.fn(function* (handlers) {
    const captures = yield* CaptureLink
    return handlers.handle("save", (request) => saveForProgram(captures, request))
  })
)

export const layer = HttpApiBuilder.group(
  Api,
  "capture",
  Effect.fn(function* (handlers) {
    const captures = yield* CaptureLink
    return handlers.handle("link", (request) =>
      Effect.provideService(submitCapture(captures, request), CurrentAuthor, "extension")
    )
  })
)

/** Answers the CORS preflight request for a capture; a preflight needs no token. */
export const preflight = HttpLayerRouter.route(
  "OPTIONS",
  "/capture/api/link",
  Effect.succeed(
    HttpServerResponse.empty({
      status: 204,
      headers: {
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": "authorization, content-type, idempotency-key",
        "access-control-max-age": "86400"
      }
    })
  )
)
