import { makeSync } from "./disk.ts"
import { interleaved, ms, perSecond, report, throughput } from "./measure.ts"
import { acknowledge, startBare, startContestant } from "./servers.ts"

/** Goal 4: a durable acknowledgement costs little more than the disk's sync, and many at once share one. */
export const webhook = async () => {
  const sync = makeSync()
  const bare = await startBare(sync.folder)
  const service = await startContestant()
  try {
    const rest = () => Bun.sleep(2)
    const times = await interleaved(
      [
        { name: "sync", run: sync.run },
        { name: "rest", run: rest },
        { name: "bare", run: () => acknowledge(bare.base) },
        { name: "service", run: () => acknowledge(service.base) },
        // What goes on behind the acknowledgement is done before the next contestant starts.
        { name: "rest ", run: rest }
      ],
      1_000,
      200
    )
    const of = (name: string) => times.get(name) ?? Number.NaN
    report(
      "webhook acknowledged, one client / fdatasync",
      of("service") / of("sync"),
      { most: 1.7 },
      `${ms(of("service"))} / ${ms(of("sync"))}; a bare Bun.serve with one commit each takes ${ms(of("bare"))}`
    )
    const rates: Record<"bare" | "service", Array<number>> = { bare: [], service: [] }
    for (let turn = 0; turn < 3; turn++) {
      rates.bare.push(await throughput(() => acknowledge(bare.base), 32, 2))
      rates.service.push(await throughput(() => acknowledge(service.base), 32, 2))
    }
    const best = (all: ReadonlyArray<number>) => Math.max(...all)
    report(
      "webhooks a second, 32 clients, group commit / bare Bun.serve with one commit each",
      best(rates.service) / best(rates.bare),
      { least: 3 },
      `${perSecond(best(rates.service))} / ${perSecond(best(rates.bare))}`
    )
  } finally {
    await service.stop()
    await bare.stop()
    sync.close()
  }
}
