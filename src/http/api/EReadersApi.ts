import { Schema } from "effect"
import { del, get, group, post } from "./Endpoint.ts"
import { BadRequest, Unavailable } from "./Failures.ts"
import { AccessGate } from "./Middleware.ts"

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

export const ereaders = group(
  "ereaders",
  {
    place: "/dashboard/api",
    fails: [BadRequest, Unavailable],
    says: "Gate 4, as above: the secret with which e-readers read the kept pages as an OPDS catalog."
  },
  get("access", "/ereaders", "Returns the addresses and the password for e-readers", {
    answer: EReadersAnswer
  }),
  post("renew", "/ereaders", "Makes a new secret for e-readers", {
    answer: EReadersAnswer,
    status: 201,
    more: "An earlier secret becomes invalid at once."
  }),
  del("revoke", "/ereaders", "Ends the access of e-readers", {
    more: "The secret becomes invalid at once."
  })
).middlewareEndpoints(AccessGate)
