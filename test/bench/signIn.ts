import { interleaved, ms, report } from "./measure.ts"
import { read, startContestant } from "./servers.ts"

/** A session is checked in the database on every request, and costs about as much as a gateway's cached token. */
export const signIn = async () => {
  const service = await startContestant()
  try {
    const token = await service.world.gateway.token()
    const owner = { "cf-access-jwt-assertion": token }
    const made = await service.client.send(
      "PUT",
      "/signin/api/password",
      { password: "correct horse battery" },
      owner
    )
    const session = { cookie: made.headers.getSetCookie()[0]?.split(";")[0] ?? "" }
    const searches = `${service.base}/dashboard/api/searches`
    const times = await interleaved(
      [
        { name: "gateway", run: () => read(searches, owner) },
        { name: "session", run: () => read(searches, session) }
      ],
      1_000,
      { warmUp: 300 }
    )
    const gateway = times.get("gateway") ?? Number.NaN
    const own = times.get("session") ?? Number.NaN
    report(
      "a request in a session / with the gateway's token",
      own / gateway,
      { most: 1.25 },
      `${ms(own)} / ${ms(gateway)}`
    )
  } finally {
    await service.stop()
  }
}
