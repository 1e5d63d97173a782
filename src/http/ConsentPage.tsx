/** @jsxImportSource preact */
import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Consent, type ConsentProps } from "../../web/onboarding/Consent.tsx"
import { isDocumentAddress } from "../domain/ClientDocument.ts"
import { redirectPlace } from "../domain/RedirectAddress.ts"
import { Access } from "../gates/AccessGate.ts"
import { OAuth } from "../gates/OAuth.ts"
import { CONSENT, requireIssuer } from "./OAuth.ts"
import { pathOf } from "./RouteGroups.ts"
import { renderAppPage } from "./Shell.tsx"

const page = (props: ConsentProps, status = 200) =>
  HttpServerResponse.html(
    renderAppPage({
      app: "consent",
      title: "Allow access · Linkbower",
      body: <Consent {...props} />,
      data: props
    })
  ).pipe(HttpServerResponse.setStatus(status))

/** No request leads away from here by itself: the owner's answer does, and an error is shown. */
export const routes = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.HttpRouter
  const access = yield* Access
  const oauth = yield* OAuth
  const respond = Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const base = yield* requireIssuer
    const { client, redirect, scopes } = yield* oauth.ask(
      new URLSearchParams(url.slice(pathOf(url).length)),
      base
    )
    const publisher = isDocumentAddress(client.id) ? { publisher: new URL(client.id).host } : {}
    return page({ name: client.name, place: redirectPlace(redirect), scopes, ...publisher })
  }).pipe(
    Effect.catchTags({
      Forbidden: ({ message }) => Effect.succeed(page({ problem: message }, 400)),
      OAuthRefused: ({ from, message }) =>
        Effect.succeed(page(from === undefined ? { problem: message } : { problem: message, from }, 400))
    })
  )
  yield* router.add("GET", CONSENT, Effect.zipRight(access.pass, respond))
})
