import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import { makeClient, makeWorld, type Running, startService, until, type World } from "../support/service.ts"

// A test that is cut off would take the service with it.
setDefaultTimeout(60_000)

/** Makes the engine refuse WebAssembly's SIMD, as it does by itself on an x86-64 without AVX. */
const withoutSimd = { BUN_JSC_useWasmSIMD: "0" }

let world: World
let service: Running
beforeAll(async () => {
  world = await makeWorld()
  service = await startService({ ...world.settings, ...withoutSimd })
})
afterAll(async () => {
  await service.stop()
  service.clean()
  await world.stop()
})

const kernel = join(import.meta.dir, "../../src/search/kernel/kernel.wasm")
const subjects = ["sourdough bread recipe", "vegan cake recipe", "bread baking recipe", "cake baking recipe"]

test("an engine that is told so refuses the SIMD kernel", () => {
  const ask = `
    const bytes = await Bun.file(${JSON.stringify(kernel)}).bytes()
    console.log(WebAssembly.validate(bytes))`
  const { stdout } = Bun.spawnSync([process.execPath, "-e", ask], { env: { ...process.env, ...withoutSimd } })
  expect(stdout.toString().trim()).toBe("false")
})

test("without SIMD links are saved, found by meaning as with it, and looked through for duplicates", async () => {
  const { capture, links, owner } = makeClient(service, world)
  const titles = Array.from({ length: 40 }, (_, n) => `A ${subjects[n % subjects.length]}, number ${n}`)
  const saves = titles.map((title) =>
    capture({ url: `${world.pages.url}/plain?t=${encodeURIComponent(title)}` })
  )
  expect((await Promise.all(saves)).every(({ ok }) => ok)).toBe(true)
  await until(async () => (await links()).every(({ enrichment }) => enrichment === "complete"))
  const answers = async () => {
    const client = makeClient(service, world)
    const asked = ["?q=baking+at+home", "?like=1&limit=10", "?like=2&limit=10"].map((query) =>
      client.links(query)
    )
    return (await Promise.all(asked)).map((found) => found.map(({ id }) => id))
  }
  const found = await answers()
  expect(found.map((ids) => ids.length > 5)).toEqual([true, true, true])

  const started = await (await owner("POST", "/api/action", { action: "dupes" })).json()
  const ended = await until(async () => {
    const { job } = await (await owner("GET", `/api/jobs/${started.job.id}`)).json()
    return job.state === "running" ? undefined : job
  }, 30)
  expect(ended.state).toBe("done")

  await service.stop()
  service = await startService(world.settings, service.folder)
  expect(await answers()).toEqual(found)
})
