import { expect, setDefaultTimeout, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { until } from "../support/service.ts"
import { withTestService } from "../support/testService.ts"
import { byTier } from "../support/tier.ts"

// A guard against hanging: a test that is cut off would take the service with it, and some wait for the starts of others.
setDefaultTimeout(600_000)

const KILLS = Number(process.env["CHAOS_ROUNDS"] ?? byTier(1, 3))
const FILES = byTier(2, 3)
const LINKS = byTier(200, 1_000)
/** Each file repeats the last links of the one before it. */
const REPEATED = byTier(50, 250)

const listOf = (file: number) =>
  Array.from({ length: LINKS }, (_, n) => `https://example.org/${file * (LINKS - REPEATED) + n}`)

test(`uploaded files are imported whole, each by its own job, over ${KILLS} kills`, () =>
  withTestService({}, async ({ client, restart, running: { folder } }) => {
    const ids: Array<number> = []
    for (let file = 0; file < FILES; file++) ids.push((await client.upload(listOf(file))).id)
    expect(new Set(ids).size).toBe(FILES)
    const jobs = () => Promise.all(ids.map(client.job))
    const progress: Array<number> = []
    for (let kill = 0; kill < KILLS; kill++) {
      const before = progress.at(-1) ?? 0
      await until(async () => {
        const all = await jobs()
        const done = all.reduce((sum, job) => sum + job.done, 0)
        if (done > before || all.every(({ state }) => state === "done")) return progress.push(done)
      })
      await restart("SIGKILL")
    }
    // Each start continues where the last one was killed.
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    await Promise.all(ids.map((id) => client.ended(id)))
    expect(await jobs()).toMatchObject(
      ids.map((id, file) => ({
        id,
        state: "done",
        done: LINKS,
        total: LINKS,
        result: {
          found: LINKS,
          created: file === 0 ? LINKS : LINKS - REPEATED,
          merged: file === 0 ? 0 : REPEATED
        }
      }))
    )
    expect(await client.count()).toBe(FILES * LINKS - (FILES - 1) * REPEATED)
    const uploads = join(folder, "data", "imports")
    await until(() => !existsSync(uploads) || readdirSync(uploads).length === 0)
    console.log(`killed ${KILLS} times, after ${progress.join(", ")} of ${FILES * LINKS} links`)
  }))
