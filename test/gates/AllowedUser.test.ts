import { describe, expect, test } from "bun:test"
import { isAllowedUser, type UserClaims } from "../../src/gates/AllowedUser.ts"

const ANN = "ann@example.org"

describe("isAllowedUser", () => {
  for (const [why, claims, allowed, byProvider, byGateway] of [
    ["a verified address", { sub: "1", email: ANN, email_verified: true }, ANN, true, true],
    ["an address that is verified in words", { email: ANN, email_verified: "true" }, ANN, true, true],
    ["an address of which nothing is said", { email: ANN }, ANN, false, true],
    ["an unverified address", { email: ANN, email_verified: false }, ANN, false, false],
    ["an address that is unverified in words", { email: ANN, email_verified: "false" }, ANN, false, false],
    ["an address with a number instead", { email: ANN, email_verified: 1 }, ANN, false, false],
    ["an address in capitals", { email: "Ann@example.org", email_verified: true }, ANN, false, false],
    ["an address with an accent", { email: "ánn@example.org", email_verified: true }, ANN, false, false],
    ["a longer address", { email: `x${ANN}`, email_verified: true }, ANN, false, false],
    ["several addresses", { email: [ANN], email_verified: true }, ANN, false, false],
    ["the address as the subject", { sub: ANN, email_verified: true }, ANN, false, false],
    ["the address as another claim", { preferred_username: ANN, email_verified: true }, ANN, false, false],
    ["the subject", { sub: "1234" }, "1234", true, true],
    ["another subject", { sub: "12345" }, "1234", false, false],
    ["the subject as a number", { sub: 1234 }, "1234", false, false],
    ["the subject as the address", { sub: "1", email: "1234", email_verified: true }, "1234", false, false],
    ["no claims", {}, "undefined", false, false]
  ] as ReadonlyArray<readonly [string, UserClaims, string, boolean, boolean]>)
    test(`of a provider ${byProvider ? "accepts" : "rejects"}, of a gateway ${byGateway ? "accepts" : "rejects"} ${why}`, () =>
      expect([
        isAllowedUser(claims, allowed, { trustsEmail: false }),
        isAllowedUser(claims, allowed, { trustsEmail: true })
      ]).toEqual([byProvider, byGateway]))
})
