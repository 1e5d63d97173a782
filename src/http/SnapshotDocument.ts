import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { LinkId } from "../domain/Link.ts"
import { Access } from "../gates/AccessGate.ts"
import { Snapshots } from "../library/Snapshots.ts"
import { NotFound } from "./api/Failures.ts"
import { pathOf } from "./RouteGroups.ts"

/** No scripts, nothing from outside, no forms, an origin of its own (CSP level 3, `sandbox`). */
const policy = {
  "content-security-policy":
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'; sandbox",
  "x-dns-prefetch-control": "off"
}

const path = /^\/dashboard\/read\/([1-9]\d{0,14})\/snapshot$/

export const isSnapshotPath = (one: string): boolean => path.test(one)

/** Serves the snapshots of pages, each as a page of its own. */
export const routes = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.HttpRouter
  const access = yield* Access
  const snapshots = yield* Snapshots
  const respond = Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const id = Number(path.exec(pathOf(url))?.[1] ?? 0)
    if (id === 0) return yield* new NotFound()
    const version = /[?&]version=([1-9]\d{0,8})(?:&|$)/.exec(url)?.[1]
    const html = yield* snapshots.read(LinkId.make(id), version === undefined ? undefined : Number(version))
    if (Option.isNone(html)) return yield* new NotFound("No snapshot is kept for this link.")
    return HttpServerResponse.text(html.value, {
      contentType: "text/html; charset=utf-8",
      headers: policy
    })
  })
  yield* router.add("GET", "/dashboard/read/:id/snapshot", Effect.zipRight(access.pass, respond))
})
