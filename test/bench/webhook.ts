import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { withRequestMetrics } from "../../src/http/RequestMetrics.ts"
import { makeSync } from "./disk.ts"
import { interleaved, median, ms, perSecond, report, throughput } from "./measure.ts"
import { acknowledge, startAcknowledger, startBare, startContestant } from "./servers.ts"

/** Requests per measurement: the counting of a single one is too short to measure. */
const BATCH = 200
const answer = Effect.succeed(HttpServerResponse.empty({ status: 200 }))
const request = HttpServerRequest.fromWeb(new Request("http://localhost/webhook", { method: "POST" }))

/** Answers a batch of requests within the service, counted or not. */
const answered = (isCounted: boolean) => {
  const one = Effect.provideService(
    isCounted ? withRequestMetrics(answer) : answer,
    HttpServerRequest.HttpServerRequest,
    request
  )
  const all = Effect.withTracerEnabled(Effect.replicateEffect(one, BATCH, { discard: true }), false)
  return () => Effect.runPromise(all)
}

/** Goal 4: a durable acknowledgement costs little more than a sync of the disk, and concurrent ones share it. */
export const webhook = async () => {
  const sync = makeSync()
  const bare = await startBare(sync.folder)
  const grouped = await startAcknowledger(sync.folder, 256)
  const single = await startAcknowledger(sync.folder, 1)
  const service = await startContestant()
  try {
    const times = await interleaved(
      [
        { name: "sync", run: sync.run },
        { name: "bare", run: () => acknowledge(bare.base) },
        { name: "grouped", run: () => acknowledge(grouped.base) },
        { name: "service", run: () => acknowledge(service.base) },
        { name: "counted", run: answered(true) },
        { name: "uncounted", run: answered(false) }
      ],
      60,
      { block: 50, warmUp: 15 }
    )
    const of = (name: string) => times.get(name) ?? Number.NaN
    report(
      "webhook acknowledged, one client / fdatasync",
      of("grouped") / of("sync"),
      { most: 1.7 },
      `${ms(of("grouped"))} / ${ms(of("sync"))}; with the work behind it going on ${ms(of("service"))}; bare Bun.serve ${ms(of("bare"))}`
    )
    report(
      "webhook acknowledged, one client / a millisecond",
      of("grouped"),
      { most: 1 },
      `${ms(of("grouped"))}`
    )
    const counting = (of("counted") - of("uncounted")) / BATCH
    report(
      "counting a request / the webhook's acknowledgement",
      counting / of("grouped"),
      { most: 0.03 },
      `${ms(counting)} / ${ms(of("grouped"))}`
    )
    const rates = { bare: [] as number[], grouped: [] as number[], single: [] as number[] }
    for (let turn = 0; turn < 3; turn++)
      for (const [name, { base }] of Object.entries({ bare, grouped, single }))
        rates[name === "bare" ? "bare" : name === "single" ? "single" : "grouped"].push(
          await throughput(() => acknowledge(base), 32, 2)
        )
    report(
      "webhooks a second, 32 clients, group commit / one commit each",
      median(rates.grouped) / median(rates.single),
      { least: 3 },
      `${perSecond(median(rates.grouped))} / ${perSecond(median(rates.single))}; bare Bun.serve, one commit each ${perSecond(median(rates.bare))}`
    )
  } finally {
    await service.stop()
    for (const server of [bare, grouped, single]) await server.stop()
    sync.close()
  }
}
