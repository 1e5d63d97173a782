import { handleRequest } from "./enrich/page/SandboxWork.ts"
import { serveParent } from "./runtime/ChildMain.ts"

/** Reads untrusted pages and pictures in a process without settings, secrets or access to the library. */
await serveParent(Number(process.argv.at(-1)), handleRequest)
