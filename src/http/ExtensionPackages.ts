import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Option, Redacted } from "effect"
import { unzipSync, zipSync } from "fflate"
import { downloads } from "../../dist/app/assets.ts"
import { Setting } from "../config/Configuration.ts"
import { Access } from "../gates/AccessGate.ts"
import { CONFIGURATION, configurationOf, type Handover, isHandover } from "../shared/Handover.ts"
import { Conflict } from "./api/Failures.ts"
import { baseAddress } from "./BaseAddress.ts"
import { embeddedBytes } from "./EmbeddedFile.ts"
import { groups } from "./RouteGroups.ts"

/** The address at which the owner downloads a package that already knows the service, from the open package's address. */
const configuredPath = (path: string): `/${string}` =>
  `${groups.setup.place}/extension/${path.replace(/^.*linkbower-/, "")}`

export const configuredPaths: ReadonlyArray<string> = downloads.map(({ path }) => configuredPath(path))

/** Puts the service's address and token into a packed extension, which takes them over when it is installed. */
export const configured = (packed: Uint8Array, handover: Handover): Uint8Array =>
  zipSync(
    { ...unzipSync(packed), [CONFIGURATION]: new TextEncoder().encode(configurationOf(handover)) },
    // The earliest date a zip can store.
    { level: 6, mtime: new Date(1980, 0, 1) }
  )

const extensionToken = Effect.orElseSucceed(Setting.extensionToken.config, Option.none<Redacted.Redacted>)

/** What this service hands to the extension; fails if the extension has no token, or one that no header can carry. */
const handover = Effect.gen(function* () {
  const token = yield* extensionToken
  if (Option.isNone(token))
    return yield* new Conflict("The extension has no token yet. Set EXTENSION_TOKEN first.")
  const offered = { address: yield* baseAddress, token: Redacted.value(token.value) }
  if (!isHandover(offered))
    return yield* new Conflict(
      "The extension cannot use this EXTENSION_TOKEN: 8 to 512 visible ASCII characters without commas and spaces work."
    )
  return offered
})

/** Serves the owner the packed extensions with this service's address and token inside; they are built on request. */
export const routes = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.HttpRouter
  const access = yield* Access
  for (const { file, path } of downloads) {
    const packed = embeddedBytes(file)
    yield* router.add(
      "GET",
      configuredPath(path),
      Effect.gen(function* () {
        yield* access.pass
        return HttpServerResponse.uint8Array(configured(packed(), yield* handover), {
          contentType: "application/zip",
          headers: { "content-disposition": `attachment; filename="${path.replace(/^.*\//, "")}"` }
        })
      }).pipe(Effect.withSpan("ExtensionPackages.download"))
    )
  }
})
