/** The requests that the service answers all day: a message, a save, a page of the list. */
import { join } from "node:path"
import { Effect, Layer, ManagedRuntime } from "effect"
import type { LinkId } from "../../src/domain/Link.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { storesAt } from "../support/library.ts"
import { found, newLink } from "../support/links.ts"
import { WEBHOOK_SECRET } from "../support/service.ts"
import { readLinks } from "./contestants.ts"
import {
  interleaved,
  makeSync,
  ms,
  newFolder,
  perSecond,
  rates,
  read,
  report,
  reportTimes,
  sizeOf,
  sizes,
  startProgram
} from "./harness.ts"
import { fileIn, libraryOf, withService } from "./services.ts"

/** The content of link number `n`: as long as a real link, with rare and common words. */
const material = (n: number) => {
  const said = `What a page of some length says about subject ${n % 97}, in about as many words as a summary has.`
  return found(
    {
      title: `A title about subject ${n % 97} and matter ${n % 1009}`,
      description: said,
      text:
        `word${n} `.repeat(20) + "common words in the readable text of a page, and more of them. ".repeat(10)
    },
    {
      summary: {
        summary: said,
        tags: ["one", "two"],
        category: ["reading", "programming", "cooking"][n % 3] ?? null
      }
    }
  )
}

/** Claims link number `n`: one durable commit of a row, its tags and its full-text entry. */
export const claim = (n: number) =>
  Effect.flatMap(LinkStore, (links) =>
    Effect.map(links.upsert(newLink(`${n}`, { tags: [] })), ({ link }) => link.id)
  )

/** Writes the enrichment of link number `n`: another such commit. */
export const finish = (id: LinkId, n: number) =>
  Effect.flatMap(LinkStore, (links) => links.finish(id, material(n)))

/** Fills the library with the links `from` to `to` in large transactions. */
export const fill = Effect.fnUntraced(function* (from: number, to: number) {
  const transaction = yield* Transaction
  for (let at = from; at < to; at += 1_000) {
    const batch = Array.from({ length: Math.min(1_000, to - at) }, (_, index) => at + index)
    yield* transaction(
      Effect.forEach(batch, (n) => Effect.flatMap(claim(n), (id) => finish(id, n)), { discard: true })
    )
  }
})

/** The stores over a file, without traces. */
export const openStores = (file: string) =>
  ManagedRuntime.make(Layer.merge(storesAt(file), Layer.setTracerEnabled(false)))

let update = 1

/** Sends an update that the bot stores and ignores, so that only the acknowledgement is measured. */
const acknowledge = async (base: string) => {
  const id = update++
  const body = JSON.stringify({
    update_id: id,
    message: { message_id: id, date: 0, chat: { id: 4242, type: "private" }, pinned_message: {} }
  })
  const headers = { "content-type": "application/json", "x-telegram-bot-api-secret-token": WEBHOOK_SECRET }
  const response = await fetch(`${base}/webhook`, { method: "POST", headers, body })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${base}/webhook answered ${response.status}`)
}

/** A durable acknowledgement costs little more than a sync of the disk, and concurrent ones share it. */
export const webhook = () =>
  withService({}, async (service) => {
    const sync = makeSync()
    const bare = await startProgram("contestants.ts", "bare", sync.folder)
    const grouped = await startProgram("contestants.ts", "acknowledger", sync.folder, "256")
    const single = await startProgram("contestants.ts", "acknowledger", sync.folder, "1")
    const of = await interleaved(
      {
        sync: sync.run,
        bare: () => acknowledge(bare.base),
        grouped: () => acknowledge(grouped.base),
        service: () => acknowledge(service.base)
      },
      60,
      { block: 50, warmUp: 15 }
    )
    const more = `; with the work behind it going on ${ms(of("service"))}; bare Bun.serve ${ms(of("bare"))}`
    reportTimes("webhook acknowledged, one client / fdatasync", of("grouped"), of("sync"), 1.7, more)
    reportTimes("webhook acknowledged, one client / a millisecond", of("grouped"), 1, 1)
    const many = await rates(
      {
        bare: () => acknowledge(bare.base),
        grouped: () => acknowledge(grouped.base),
        single: () => acknowledge(single.base)
      },
      32
    )
    report(
      "webhooks a second, 32 clients, group commit / one commit each",
      many("grouped") / many("single"),
      { least: 3 },
      `${perSecond(many("grouped"))} / ${perSecond(many("single"))}; bare Bun.serve, one commit each ${perSecond(many("bare"))}`
    )
    for (const server of [bare, grouped, single]) await server.stop()
    sync.close()
  })

/**
 * A durable save costs little more than a sync of the disk, at any size of the library; and saves per second through the
 * whole pipeline: store, fetch from loopback, read, write, index, respond.
 */
export const save = async () => {
  const runtime = openStores(join(newFolder(), "library.db"))
  const sync = makeSync()
  let n = 0
  for (const size of sizes(1_000, 10_000, 100_000)) {
    await runtime.runPromise(fill(n, size))
    n = size
    let id = await runtime.runPromise(claim(n++))
    const of = await interleaved(
      {
        sync: sync.run,
        claim: async () => {
          id = await runtime.runPromise(claim(n++))
        },
        finish: () => runtime.runPromise(Effect.asVoid(finish(id, n)))
      },
      300
    )
    for (const [step, most] of [
      ["claim", 1.6],
      ["finish", 3]
    ] as const)
      reportTimes(`durable ${step} of a link at ${size} links / fdatasync`, of(step), of("sync"), most)
  }
  await runtime.dispose()
  sync.close()
  await withService(
    { settings: { ANTHROPIC_API_KEY: "", CAPTURE_WAIT: "20 seconds" } },
    async ({ client, world }) => {
      const one = async () => {
        const response = await client.capture({ url: `${world.pages.url}/plain?t=${n++}` })
        await response.arrayBuffer()
        if (!response.ok) throw new Error(`a capture was answered ${response.status}`)
      }
      for (const clients of [1, 8])
        console.log(
          `saves a second with a local page and no model, ${clients} at once: ${perSecond((await rates({ one }, clients))("one"))}`
        )
    }
  )
}

/** Pages of 50 links at nearly half the rate of a bare server, and the whole library as fast as writing its JSON. */
export const list = async () => {
  const size = sizeOf(100_000)
  const folder = await libraryOf(size)
  await withService({ folder }, async ({ get }) => {
    const bare = await startProgram("contestants.ts", "bare", newFolder(), fileIn(folder))
    const page = () => get("/links?limit=50")
    const of = await rates({ bare: () => read(bare.base), service: page }, 8)
    report(
      `pages of 50 links of ${size} a second, 8 clients, gate included / bare Bun.serve`,
      of("service") / of("bare"),
      { least: 0.45 },
      `${perSecond(of("service"))} / ${perSecond(of("bare"))}, ${await page()} / ${await read(bare.base)} bytes`
    )
    const links = readLinks(fileIn(folder))
    const times = await interleaved(
      {
        shape: () => new TextEncoder().encode(JSON.stringify({ links: links() })),
        service: () => get("/links")
      },
      7,
      { warmUp: 2 }
    )
    const what = `the whole library of ${size} over HTTP / shape and stringify in process`
    reportTimes(what, times("service"), times("shape"), 1.1)
    await bare.stop()
  })
}
