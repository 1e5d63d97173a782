import { work } from "./enrich/page/SandboxWork.ts"
import { serveParent } from "./runtime/ChildMain.ts"

/** The process that reads strangers' pages and pictures: it knows no setting, no secret and no library. */
await serveParent(Number(process.argv.at(-1)), work)
