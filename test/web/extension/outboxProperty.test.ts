import { expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import type { Occasion } from "../../../web/extension/delivery.ts"
import type { Outcome } from "../../../web/extension/send.ts"
import { byTier } from "../../support/tier.ts"
import { busyFor, capture, down, fakeBrowser, ok, refused, rejected } from "./fakeBrowser.ts"

/** `lost` is a delivery whose response does not arrive. */
const moods = ["ok", "down", "busy", "rejected", "refused", "lost", "slow"] as const
type Mood = (typeof moods)[number]
const occasions: ReadonlyArray<Occasion> = ["due", "eager", "asked"]

const commands = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant("add" as const), hold: fc.constantFrom(0, 3_000) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("drain" as const),
        occasion: fc.constantFrom(...occasions),
        beside: fc.boolean(),
        // The number of steps before the browser terminates the worker.
        steps: fc.option(fc.nat(25), { nil: undefined })
      })
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant("mood" as const), mood: fc.constantFrom(...moods) })
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("advance" as const), minutes: fc.nat(90) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("withdraw" as const), which: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("release" as const), which: fc.nat(20) }) }
  ),
  { maxLength: 25 }
)

test("every capture is delivered or withdrawn, after any order of failures, crashes and restarts", async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (script) => {
      let mood: Mood = "ok"
      const arrived = new Set<string>()
      const answered = new Set<string>()
      const outcomes: Readonly<Record<Mood, Outcome>> = {
        ok,
        slow: ok,
        lost: down,
        down,
        busy: busyFor(30),
        rejected,
        refused
      }
      const browser = fakeBrowser(async ({ id }) => {
        const outcome = outcomes[mood]
        if (mood === "slow") await Bun.sleep(1)
        if (outcome.kind === "delivered") answered.add(id)
        if (outcome.kind === "delivered" || outcome === outcomes.lost) arrived.add(id)
        return outcome
      })
      const added: Array<string> = []
      const withdrawn = new Set<string>()
      let worker = browser.start()

      const holds = () => {
        const there = new Set(browser.inOutbox())
        for (const id of added)
          expect([id, there.has(id) || answered.has(id) || withdrawn.has(id)]).toEqual([id, true])
        expect(browser.overlaps).toEqual([])
      }

      for (const command of script) {
        if (worker.isDead()) worker = browser.start()
        if (command.do === "mood") mood = command.mood
        if (command.do === "advance") browser.advance(command.minutes)
        if (command.do === "add") {
          const page = capture()
          await (command.hold === 0 ? worker.outbox.add([page]) : worker.outbox.keep([page], command.hold))
          added.push(page.id)
        }
        const id = "which" in command ? added[command.which] : undefined
        if (command.do === "release" && id !== undefined) await worker.outbox.release(id)
        if (command.do === "withdraw" && id !== undefined && (await worker.outbox.withdraw(id)))
          withdrawn.add(id)
        if (command.do === "drain") {
          const mortal = browser.start(command.steps)
          const runs = [mortal.outbox.drain(command.occasion)]
          if (command.beside) runs.push(worker.outbox.drain(command.occasion))
          // A terminated worker never responds.
          await Promise.race([Promise.all(runs), Bun.sleep(command.steps === undefined ? 2_000 : 30)])
          if (command.steps !== undefined) mortal.kill()
        }
        holds()
      }

      mood = "ok"
      browser.advance(24 * 60)
      const last = browser.start()
      for (const id of browser.inOutbox()) await last.outbox.retry(id)
      await last.outbox.drain("asked")
      await last.outbox.drain("asked")
      holds()
      expect(browser.inOutbox()).toEqual([])
      expect(added.filter((id) => !withdrawn.has(id) && !arrived.has(id))).toEqual([])
    }),
    { numRuns: byTier(50, 150) }
  )
})
