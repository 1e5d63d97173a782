import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { BadRequest, Unavailable } from "./Failures.ts"
import { AccessGate } from "./Middleware.ts"
import { documented } from "./Parameters.ts"

const EReaderAddresses = Schema.Struct({
  address: Schema.String.annotations({
    description: "The secret address of the catalog, for apps that take only an address."
  }),
  catalog: Schema.String.annotations({
    description: "The address of the same catalog for apps that send a user name and a password."
  }),
  password: Schema.String.annotations({ description: "The password for it; the user name can be any." }),
  createdAt: Schema.String.annotations({ description: "When the secret was made, in UTC." })
}).annotations({ identifier: "EReaderAddresses" })

/** The addresses of the e-readers' catalog; null without a secret. */
export const EReadersAnswer = Schema.Struct({ ereaders: Schema.NullOr(EReaderAddresses) })

export const ereaders = HttpApiGroup.make("ereaders")
  .add(
    HttpApiEndpoint.get("access", "/ereaders")
      .addSuccess(EReadersAnswer)
      .annotateContext(documented("Returns the addresses and the password for e-readers"))
  )
  .add(
    HttpApiEndpoint.post("renew", "/ereaders")
      .addSuccess(EReadersAnswer, { status: 201 })
      .annotateContext(
        documented("Makes a new secret for e-readers", "An earlier secret becomes invalid at once.")
      )
  )
  .add(
    HttpApiEndpoint.del("revoke", "/ereaders")
      .addSuccess(Schema.Void, { status: 204 })
      .annotateContext(documented("Ends the access of e-readers", "The secret becomes invalid at once."))
  )
  .prefix("/dashboard/api")
  .addError(BadRequest.schema)
  .addError(Unavailable.schema)
  .middlewareEndpoints(AccessGate)
  .annotate(
    OpenApi.Description,
    "Gate 4, as above: the secret with which e-readers read the kept pages as an OPDS catalog."
  )
