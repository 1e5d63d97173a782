import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { Effect } from "effect"
import { makeServer, type Run } from "./Server.ts"

/** Serves one client on standard input and output, in its version of the protocol, until the input ends. */
export const serve = (run: Run): Effect.Effect<void> =>
  Effect.acquireUseRelease(
    Effect.sync(() => serveStdio(() => makeServer(run), { maxSubscriptions: 0 })),
    () =>
      Effect.async<void>((resume) => {
        for (const end of ["end", "close", "error"]) process.stdin.once(end, () => resume(Effect.void))
      }),
    (served) => Effect.promise(() => served.close())
  )
