import { identityOf } from "../identity.ts"
import { leavePart } from "../part.ts"

leavePart("keys", identityOf)
