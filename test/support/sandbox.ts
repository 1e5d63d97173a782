import { Sandbox } from "../../src/enrich/page/Sandbox.ts"
import { sandboxCommand } from "../../src/SandboxCommand.ts"

/**
 * The service's own sandbox: real processes, started when the first page or picture comes, with time enough on a busy
 * machine.
 */
export const sandbox = Sandbox.layer(sandboxCommand, { deadline: "30 seconds" })
