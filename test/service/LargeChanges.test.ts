import { expect, setDefaultTimeout, test } from "bun:test"
import { mkdirSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeLibrary, numberIn } from "../support/libraryFile.ts"
import { withTestService } from "../support/testService.ts"
import { byTier, isLong, long } from "../support/tier.ts"

// A guard against hanging: a test that is cut off would take the service with it, and some wait for the starts of others.
setDefaultTimeout(600_000)

const ROUNDS = Number(process.env["CHAOS_ROUNDS"] ?? byTier(0, 2))
const SIZE = byTier(600, 2_000)

long(test)(
  `a change, an undo, a deletion and a return of ${SIZE} links are made whole or not at all, over ${ROUNDS} rounds of kills`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "linkbower-test-"))
    mkdirSync(join(folder, "data"), { recursive: true })
    const file = join(folder, "data", "library.db")
    await makeLibrary(file, SIZE)
    const ids = Array.from({ length: SIZE }, (_, i) => i + 1)
    const count = (condition: string) => numberIn(file, `SELECT count(*) FROM links WHERE ${condition}`)
    await withTestService({ folder }, async (service) => {
      const { client, restart } = service
      let kills = 0
      let partial = 0
      /** Kills the service during a change; returns how many links fulfil the condition after the next start. */
      const killDuring = async (body: object, condition: string) => {
        const before = count(condition)
        let isAnswered = false
        const accepted = client.change(body).then(
          (response) => {
            isAnswered = true
            return response.ok
          },
          () => false
        )
        // Two of three kills come right after the first part of the change, the others at any moment.
        if (kills++ % 3 < 2) while (!isAnswered && count(condition) === before) await Bun.sleep(1)
        else await Bun.sleep(Math.random() * 60)
        await service.running.stop("SIGKILL")
        const isAccepted = await accepted
        const atDeath = count(condition)
        if (atDeath > 0 && atDeath < SIZE) partial++
        await restart()
        const after = count(condition)
        expect([0, SIZE]).toContain(after)
        // An acknowledged change and one that has begun are completed.
        if (isAccepted || atDeath !== before) expect(after).not.toBe(before)
        return after
      }
      for (let round = 0; round < ROUNDS; round++) {
        await killDuring({ op: "category", ids, category: `round ${round}` }, `category = 'round ${round}'`)
        const changed = await client.change({ op: "favorite", ids, favorite: true })
        const { links, undo }: { links: ReadonlyArray<unknown>; undo: string } = await changed.json()
        expect(links.length).toBe(SIZE)
        expect(count("favorite = 1")).toBe(SIZE)
        const left = await killDuring({ op: "undo", token: undo }, "favorite = 1")
        if (left > 0) await client.change({ op: "undo", token: undo })
        expect(count("favorite = 1")).toBe(0)
      }
      const categorized = count("category LIKE 'round %'")
      const trashed = () => numberIn(file, "SELECT count(*) FROM trash")
      if ((await killDuring({ op: "delete", ids }, "true")) > 0) await client.change({ op: "delete", ids })
      expect([count("true"), trashed()]).toEqual([0, SIZE])
      expect(numberIn(file, "SELECT count(*) FROM changes WHERE finished = 0")).toBe(0)
      if (!isLong) return
      if ((await killDuring({ op: "restore", ids }, "true")) === 0)
        await client.change({ op: "restore", ids })
      expect([count("true"), trashed()]).toEqual([SIZE, 0])
      expect(count("category LIKE 'round %'")).toBe(categorized)
      await killDuring({ op: "delete", ids, forever: true }, "true")
      expect(trashed()).toBe(0)
      expect(numberIn(file, "SELECT count(*) FROM changes WHERE finished = 0")).toBe(0)
      console.log(`${kills} kills, ${partial} of them during a change`)
      expect(partial).toBeGreaterThan(0)
    })
  }
)
