import { leavePart } from "../part.ts"
import { makeWork } from "../work.ts"

leavePart("work", makeWork)
