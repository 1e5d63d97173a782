import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { admit } from "../../src/http/FrontDoor.ts"
import { withGroupHeaders } from "../../src/http/RouteGroups.ts"
import { interleaved, ms, report } from "./measure.ts"
import { read, startContestant } from "./servers.ts"

/** Requests per measurement: a single one is too short to measure. */
const BATCH = 100

/** Requests with paths that are cheap and expensive to check. */
const requests = [
  "/dashboard/api/links?limit=50",
  "/list?q=a%2Fb",
  "/docs/start",
  "/dashboard/tags/machine%20learning"
].map((path) =>
  HttpServerRequest.fromWeb(
    new Request(`http://links.example.org${path}`, {
      headers: { host: "links.example.org", "sec-fetch-site": "same-origin", "user-agent": "bench" }
    })
  )
)

const answer = HttpServerResponse.text("{}", { contentType: "application/json" })

/** Counts headers, so that the work is not optimized away. */
const letIn = () => {
  let headers = 0
  for (let n = 0; n < BATCH; n++)
    for (const request of requests)
      headers += Object.keys(withGroupHeaders(admit(request).group, request, answer, true).headers).length
  return headers
}

/** The front door and the group's headers cost a small share of the cheapest request. */
export const door = async () => {
  const service = await startContestant()
  try {
    const times = await interleaved(
      [
        { name: "door", run: letIn },
        { name: "service", run: () => read(`${service.base}/healthz`, {}) }
      ],
      200,
      { warmUp: 50 }
    )
    const one = (times.get("door") ?? Number.NaN) / (BATCH * requests.length)
    const whole = times.get("service") ?? Number.NaN
    report(
      "front door and headers / the least request",
      one / whole,
      { most: 0.05 },
      `${ms(one)} / ${ms(whole)}`
    )
  } finally {
    await service.stop()
  }
}
