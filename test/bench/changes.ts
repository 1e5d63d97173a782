import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, ManagedRuntime } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { InboxStore } from "../../src/store/inbox/InboxStore.ts"
import { ChangeStore } from "../../src/store/links/ChangeStore.ts"
import { offlineAt } from "../support/libraryOf.ts"
import { fill } from "./library.ts"
import { ms, percentile, report } from "./measure.ts"

const SIZE = 20_000
/** Concurrent senders of arrivals, and the pause between arrivals and between event loop checks, in milliseconds. */
const SENDERS = 4
const PAUSE = 4

/** The waits of arrivals and the event loop during bulk changes, in batches and in one transaction. */
export const changes = async () => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-bench-"))
  const runtime = ManagedRuntime.make(
    Layer.merge(offlineAt(join(folder, "library.db")), Layer.setTracerEnabled(false))
  )
  const ids = Array.from({ length: SIZE }, (_, i) => LinkId.make(i + 1))
  let key = 0

  /** Runs the work while arrivals are stored; returns its duration, the waits of arrivals and the longest stall. */
  const during = async (work: () => Promise<unknown>) => {
    const waits: Array<number> = []
    const holds: Array<number> = []
    let isOver = false
    const send = async () => {
      while (!isOver) {
        const start = performance.now()
        const arrival = { source: "chat" as const, key: String(key++), payload: "{}" }
        await runtime.runPromise(Effect.flatMap(InboxStore, (inbox) => inbox.keep(arrival)))
        waits.push(performance.now() - start)
        await Bun.sleep(PAUSE)
      }
    }
    const watch = async () => {
      while (!isOver) {
        const start = performance.now()
        await Bun.sleep(PAUSE)
        holds.push(performance.now() - start - PAUSE)
      }
    }
    const all = [watch(), ...Array.from({ length: SENDERS }, send)]
    const start = performance.now()
    await work()
    const took = performance.now() - start
    isOver = true
    await Promise.all(all)
    return { took, wait: percentile(waits, 0.99), hold: Math.max(...holds) }
  }

  const change = (fields: ReadonlyArray<"favorite" | "category" | "shareable">, values: object) =>
    runtime.runPromise(Effect.flatMap(EditLinks, (edits) => edits.change(ids, fields, values)))
  const undo = (token: string) => runtime.runPromise(Effect.flatMap(EditLinks, (edits) => edits.undo(token)))

  try {
    await runtime.runPromise(fill(0, SIZE))
    const idle = await during(() => Bun.sleep(1_000))
    const show = (what: string, { hold, took, wait }: Awaited<ReturnType<typeof during>>) =>
      report(
        `${what} of ${SIZE} links: an arrival's wait (p99) / without`,
        wait / idle.wait,
        { most: 20 },
        `${ms(wait)} / ${ms(idle.wait)}; loop held ${ms(hold)} / ${ms(idle.hold)}; took ${ms(took)}`
      )
    const links = ids.map((id) => ({ id, favorite: true }))
    const whole = Effect.flatMap(ChangeStore, (store) => store.apply({ fields: ["favorite"], links }))
    show("in one transaction, favorite", await during(() => runtime.runPromise(whole)))
    let token = ""
    const keep = async (made: Promise<{ readonly undo: string }>) => {
      token = (await made).undo
    }
    show("favorite", await during(() => keep(change(["favorite"], { favorite: false }))))
    show("undo of favorite", await during(() => undo(token)))
    show("category", await during(() => keep(change(["category"], { category: "x", categoryByHand: true }))))
    show("shareable", await during(() => keep(change(["shareable"], { shareable: true }))))
    const remove = Effect.flatMap(EditLinks, (edits) => edits.remove(ids))
    show("delete", await during(() => runtime.runPromise(remove)))
  } finally {
    await runtime.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}
