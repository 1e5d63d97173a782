import { expect, test } from "bun:test"
import { join } from "node:path"
import { makeClient, startService, until } from "../support/service.ts"
import { useTestService } from "../support/testService.ts"
import { long } from "../support/tier.ts"

/** Makes the engine refuse WebAssembly's SIMD, as it does by itself on an x86-64 without AVX. */
const withoutSimd = { BUN_JSC_useWasmSIMD: "0" }
const service = useTestService(() => ({ settings: withoutSimd }))

const kernel = join(import.meta.dir, "../../src/search/kernel/kernel.wasm")
const subjects = ["sourdough bread recipe", "vegan cake recipe", "bread baking recipe", "cake baking recipe"]

test("the setting makes the engine refuse the SIMD kernel", () => {
  const ask = `
    const bytes = await Bun.file(${JSON.stringify(kernel)}).bytes()
    console.log(WebAssembly.validate(bytes))`
  const { stdout } = Bun.spawnSync([process.execPath, "-e", ask], { env: { ...process.env, ...withoutSimd } })
  expect(stdout.toString().trim()).toBe("false")
})

long(test)(
  "without SIMD, links are saved, found by meaning as with it, and searched for duplicates",
  async () => {
    const { client, running, world } = service()
    const titles = Array.from({ length: 16 }, (_, n) => `A ${subjects[n % subjects.length]}, number ${n}`)
    const saves = titles.map((title) =>
      client.capture({ url: `${world.pages.url}/plain?t=${encodeURIComponent(title)}` })
    )
    expect((await Promise.all(saves)).every(({ ok }) => ok)).toBe(true)
    await until(async () => (await client.links()).every(({ enrichment }) => enrichment === "complete"))
    const results = async ({ links } = client) => {
      const searches = ["?q=baking+at+home", "?like=1&limit=10", "?like=2&limit=10"].map((query) =>
        links(query)
      )
      return (await Promise.all(searches)).map((found) => found.map(({ id }) => id))
    }
    const found = await results()
    expect(found.map((ids) => ids.length > 5)).toEqual([true, true, true])
    const { id } = await client.start({ action: "dupes" })
    expect((await client.ended(id)).state).toBe("done")

    await running.stop()
    const withSimd = await startService(world.settings, running.folder)
    expect(await results(makeClient(withSimd, world)).finally(() => withSimd.stop("SIGKILL"))).toEqual(found)
  }
)
