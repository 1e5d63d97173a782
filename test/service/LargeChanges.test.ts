import { expect, test } from "bun:test"
import { mkdirSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeLibrary, numberIn } from "../support/libraryFile.ts"
import { makeClient, makeWorld, startService, until } from "../support/service.ts"

const ROUNDS = Number(process.env["CHAOS_ROUNDS"] ?? 6)
const SIZE = 4_000

test(`a change, an undo and a deletion of ${SIZE} links are made wholly or not at all, over ${ROUNDS} rounds of kill -9`, async () => {
  const world = await makeWorld()
  const folder = mkdtempSync(join(tmpdir(), "linkbower-test-"))
  mkdirSync(join(folder, "data"), { recursive: true })
  const file = join(folder, "data", "library.db")
  await makeLibrary(file, SIZE)
  const ids = Array.from({ length: SIZE }, (_, i) => i + 1)
  let service = await startService(world.settings, folder)
  const count = (condition: string) => numberIn(file, `SELECT count(*) FROM links WHERE ${condition}`)
  let halves = 0
  /** Kills the service at a moment while it makes the change, and says how many links had it by then. */
  const killedWhile = async (body: unknown, condition: string) => {
    const answer = makeClient(service, world)
      .owner("POST", "/api/mutate", body)
      .then(
        (response) => response.ok,
        () => false
      )
    const before = count(condition)
    if (Math.random() < 0.7) await until(() => count(condition) !== before || null).catch(() => null)
    else await Bun.sleep(Math.random() * 60)
    await service.stop("SIGKILL")
    const done = await answer
    const half = count(condition)
    if (half > 0 && half < SIZE) halves++
    service = await startService(world.settings, folder)
    const after = count(condition)
    expect([0, SIZE]).toContain(after)
    if (done) expect(after).not.toBe(before)
    // What had begun is made.
    if (half !== before) expect(after).not.toBe(before)
    return after
  }
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await killedWhile({ op: "category", ids, category: `round ${round}` }, `category = 'round ${round}'`)
      const changed = await makeClient(service, world).owner("POST", "/api/mutate", {
        op: "favorite",
        ids,
        favorite: true
      })
      const { links, undo }: { links: ReadonlyArray<unknown>; undo: string } = await changed.json()
      expect(links.length).toBe(SIZE)
      expect(count("favorite = 1")).toBe(SIZE)
      if ((await killedWhile({ op: "undo", token: undo }, "favorite = 1")) > 0)
        await makeClient(service, world).owner("POST", "/api/mutate", { op: "undo", token: undo })
      expect(count("favorite = 1")).toBe(0)
    }
    await killedWhile({ op: "delete", ids }, "true")
    expect(numberIn(file, "SELECT count(*) FROM changes WHERE finished = 0")).toBe(0)
    console.log(`${2 * ROUNDS + 1} kills, ${halves} of them with a change half made`)
    expect(halves).toBeGreaterThan(0)
  } finally {
    await service.stop()
    service.clean()
    await world.stop()
  }
}, 300_000)
