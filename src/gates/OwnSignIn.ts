import { Layer } from "effect"
import { and, none } from "../runtime/Services.ts"
import { Verifiers } from "./AccessGate.ts"
import { Callers } from "./Callers.ts"
import { OneTimeCodes } from "./OneTimeCodes.ts"
import { OpenIdConnect } from "./OpenIdConnect.ts"
import { OwnerPassword } from "./OwnerPassword.ts"
import { Passkeys } from "./Passkeys.ts"
import { Sessions } from "./Sessions.ts"
import { SignInWays } from "./SignInWays.ts"

/** The verifiers of gate 4, and the owner's sessions and credentials. Every user of them must get the same ones. */
export const layer = Layer.effectContext(
  none.pipe(
    and(Callers, Callers.make),
    and(Sessions, Sessions.make),
    and(OneTimeCodes, OneTimeCodes.make),
    and(OpenIdConnect, OpenIdConnect.make),
    and(Verifiers, Verifiers.make),
    and(SignInWays, SignInWays.make),
    and(OwnerPassword, OwnerPassword.make),
    and(Passkeys, Passkeys.make)
  )
)
