import { ConfigProvider, Effect } from "effect"

/** A server on loopback for as long as the scope lasts; gives its address, without a slash at the end. */
export const loopback = (answer: (request: Request) => Response | Promise<Response>) =>
  Effect.acquireRelease(
    Effect.sync(() => Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer })),
    (server) => Effect.promise(() => server.stop(true))
  ).pipe(Effect.map((server) => `http://127.0.0.1:${server.port}`))

/** These settings and no others. */
export const withSettings = (settings: Record<string, string>) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))
