import { afterAll, describe, expect, test } from "bun:test"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { makeFloodServer } from "../support/flooding.ts"
import { floods } from "../support/floods.ts"
import { childrenOf, isRunning } from "../support/processes.ts"
import { makeWorld, until } from "../support/service.ts"
import { useTestService } from "../support/testService.ts"
import { byTier, long } from "../support/tier.ts"

describe("the processes that read pages for the service", () => {
  const server = makeFloodServer()
  const service = useTestService(async () => {
    const world = await makeWorld()
    const settings = {
      ANTHROPIC_API_KEY: "",
      FETCH_ALLOW: `${world.settings["FETCH_ALLOW"]},${server.host}`,
      CAPTURE_WAIT: "25 seconds"
    }
    return { world, settings }
  })
  afterAll(async () => {
    await Promise.all([server.stop(), service().world.stop()])
  })

  /** Pages whose readers are killed. */
  const TURNS = byTier(1, 3)
  let saves = 0
  const titleOf = async (url = `${service().world.pages.url}/plain?t=Title+${saves++}`) => {
    const answer = await service().client.capture({ url })
    const { title }: { readonly title: string } = await answer.json()
    return title
  }
  const children = () => childrenOf(service().running.pid)

  test("know no setting and no secret, open no file of the library, and run at the lowest priority for memory", async () => {
    expect(await titleOf()).toBe("Title 0")
    const [child = 0] = children()
    const names = readFileSync(`/proc/${child}/environ`, "utf8")
      .split("\0")
      .flatMap((line) => (line === "" ? [] : [line.split("=")[0]]))
    expect(names.sort()).toEqual(["BUN_JSC_forceRAMSize", "TZ"])
    expect(readlinkSync(`/proc/${child}/cwd`)).toBe("/")
    const files = readdirSync(`/proc/${child}/fd`).map((fd) => readlinkSync(`/proc/${child}/fd/${fd}`))
    expect(files.filter((file) => file.includes(service().running.folder))).toEqual([])
    expect(readFileSync(`/proc/${child}/oom_score_adj`, "latin1").trim()).toBe("1000")
  })

  test("are replaced when they are killed while idle", async () => {
    for (let turn = 0; turn < byTier(1, 2); turn++) {
      for (const child of children()) process.kill(child, "SIGKILL")
      expect(await titleOf()).toStartWith("Title ")
    }
  })

  test("cost a link its page when they are killed as they start and read it, and are replaced for the next", async () => {
    const large = floods.find(({ name }) => name === "unknown elements within each other")
    server.offer(large?.body() ?? new Uint8Array())
    let isOver = false
    let killed = 0
    const killing = (async () => {
      while (!isOver) {
        for (const child of children()) {
          try {
            process.kill(child, "SIGKILL")
            killed++
          } catch {
            // It has ended meanwhile.
          }
        }
        await Bun.sleep(1)
      }
    })()
    for (let turn = 0; turn < TURNS; turn++)
      expect(await titleOf(`http://${server.host}/${turn}`)).toBe("127.0.0.1")
    isOver = true
    await killing
    expect(killed).toBeGreaterThanOrEqual(TURNS)
    expect(await titleOf()).toStartWith("Title ")
    const links = await service().client.links()
    expect(links.filter(({ title }) => title === "127.0.0.1").map(({ enrichment }) => enrichment)).toEqual(
      Array(TURNS).fill("partial")
    )
  })

  long(test)("are at most two, and leave no file open after many saves", async () => {
    const openFiles = () => readdirSync(`/proc/${service().running.pid}/fd`).length
    await Promise.all([titleOf(), titleOf(), titleOf()])
    const before = openFiles()
    let most = 0
    for (let round = 0; round < byTier(2, 10); round++) {
      const titles = await Promise.all(Array.from({ length: 8 }, () => titleOf()))
      expect(titles.every((title) => title.startsWith("Title "))).toBe(true)
      most = Math.max(most, children().length)
    }
    expect(most).toBeLessThanOrEqual(2)
    // A connection to the fake servers may be open or not.
    expect(openFiles()).toBeLessThanOrEqual(before + 12)
  })

  long(test)("end with the service, whether it is stopped or killed", async () => {
    for (const signal of byTier(["SIGKILL"] as const, ["SIGTERM", "SIGKILL"] as const)) {
      await Promise.all([titleOf(), titleOf()])
      const before = children()
      expect(before.length).toBeGreaterThan(0)
      await service().restart(signal)
      await until(() => before.every((child) => !isRunning(child)))
    }
  })
})
