import { expect, setDefaultTimeout, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { makeClient, makeWorld, startService, until } from "../support/service.ts"

// A test that is cut off would take the service with it.
setDefaultTimeout(120_000)

interface SeenJob {
  readonly id: number
  readonly state: string
  readonly done: number
  readonly total: number
  readonly result: { readonly found: number; readonly created: number; readonly merged: number } | null
}

const FILES = 4
const LINKS = 2_500
const ROUNDS = 6

/** Each file repeats the last 500 links of the one before it. */
const listOf = (file: number) =>
  Array.from({ length: LINKS }, (_, n) => `https://example.org/${file * (LINKS - 500) + n}`).join("\n")

test("files that were sent are imported whole, each in its own job, however often the service is killed", async () => {
  const world = await makeWorld()
  let service = await startService(world.settings)
  const client = () => makeClient(service, world)
  const send = async (file: number): Promise<SeenJob> => {
    const answer = await fetch(`${service.base}/dashboard/api/import?name=${file}.txt&pages=later`, {
      method: "POST",
      headers: {
        "cf-access-jwt-assertion": await world.gateway.token(),
        "content-type": "application/octet-stream",
        "sec-fetch-site": "same-origin"
      },
      body: listOf(file)
    })
    expect(answer.status).toBe(202)
    return (await answer.json()).job
  }
  const look = async (id: number): Promise<SeenJob> =>
    (await (await client().owner("GET", `/api/jobs/${id}`)).json()).job
  try {
    const ids: Array<number> = []
    for (let file = 0; file < FILES; file++) ids.push((await send(file)).id)
    expect(new Set(ids).size).toBe(FILES)
    const seen: Array<number> = []
    for (let round = 0; round < ROUNDS; round++) {
      const before = seen.at(-1) ?? 0
      await until(async () => {
        const jobs = await Promise.all(ids.map(look))
        const done = jobs.reduce((sum, job) => sum + job.done, 0)
        if (done > before + 1_000 || jobs.every(({ state }) => state === "done")) return seen.push(done)
      }, 30)
      await service.stop("SIGKILL")
      service = await startService(world.settings, service.folder)
    }
    // It went on rather than beginning again.
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    const jobs = await until(async () => {
      const all = await Promise.all(ids.map(look))
      return all.every(({ state }) => state !== "running" && state !== "interrupted") && all
    }, 60)
    expect(jobs).toMatchObject(
      ids.map((id, file) => ({
        id,
        state: "done",
        done: LINKS,
        total: LINKS,
        result: { found: LINKS, created: file === 0 ? LINKS : LINKS - 500, merged: file === 0 ? 0 : 500 }
      }))
    )
    const meta: { total: number } = await (await client().owner("GET", "/api/meta")).json()
    expect(meta.total).toBe(FILES * LINKS - (FILES - 1) * 500)
    const uploads = join(service.folder, "data", "imports")
    await until(() => !existsSync(uploads) || readdirSync(uploads).length === 0)
    console.log(`killed ${ROUNDS} times, at ${seen.join(", ")} of ${FILES * LINKS} links`)
    expect(await service.stop()).toBe(0)
  } finally {
    await service.stop("SIGKILL")
    service.clean()
    await world.stop()
  }
})
