import { HttpLayerRouter } from "@effect/platform"
import { Layer } from "effect"
import * as AccessGate from "../gates/AccessGate.ts"
import * as ExtensionGate from "../gates/ExtensionGate.ts"
import * as Assets from "./Assets.ts"
import { ServedApi } from "./api/Api.ts"
import * as Capture from "./Capture.ts"
import * as Dashboard from "./Dashboard.ts"
import * as Documentation from "./Documentation.ts"
import * as Envelope from "./Envelope.ts"
import * as Fallback from "./Fallback.ts"
import * as List from "./List.ts"
import { PublicRate } from "./PublicRate.ts"
import * as Status from "./Status.ts"
import * as Webhook from "./Webhook.ts"

const groups = Layer.mergeAll(Capture.layer, Dashboard.layer, List.layer, Status.layer)
const gates = Layer.mergeAll(ExtensionGate.layer, AccessGate.layer)

/**
 * Makes the router read paths as the front door does: `/Dashboard` and `//dashboard` are not `/dashboard`. Every server
 * of `layer` needs it.
 */
export const routerConfig = { caseSensitive: true, ignoreDuplicateSlashes: false }

/** Serves every route; the handlers of each group stand behind the gate that its endpoints name. */
export const layer = Layer.mergeAll(
  HttpLayerRouter.addHttpApi(ServedApi).pipe(Layer.provide(groups)),
  Webhook.layer,
  Fallback.layer,
  Assets.layer,
  Documentation.layer,
  Capture.preflight,
  Envelope.layer
).pipe(Layer.provide(gates), Layer.provide([AccessGate.Access.layer, PublicRate.layer]))
