import { Layer } from "effect"
import { Callers } from "./Callers.ts"
import { OneTimeCodes } from "./OneTimeCodes.ts"
import { OpenIdConnect } from "./OpenIdConnect.ts"
import { OwnerPassword } from "./OwnerPassword.ts"
import { Passkeys } from "./Passkeys.ts"
import { Sessions } from "./Sessions.ts"
import { SignInWays } from "./SignInWays.ts"
import { Verifiers } from "./Verifiers.ts"

/** The verifiers of gate 4, and the owner's sessions and credentials. Every user of them must get the same ones. */
export const layer = Layer.mergeAll(SignInWays.layer, OwnerPassword.layer, Passkeys.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(OneTimeCodes.layer, OpenIdConnect.layer, Verifiers.layer)),
  Layer.provideMerge(Sessions.layer),
  Layer.provideMerge(Callers.layer)
)
