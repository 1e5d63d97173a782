import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { makeFloodServer } from "../support/flooding.ts"
import { floods } from "../support/floods.ts"
import { childrenOf, isRunning } from "../support/processes.ts"
import { makeClient, makeWorld, type Running, startService, until, type World } from "../support/service.ts"

describe("the processes that read pages for the service", () => {
  let world: World
  let service: Running
  const server = makeFloodServer()
  const start = () =>
    startService({
      ...world.settings,
      ANTHROPIC_API_KEY: "",
      FETCH_ALLOW: `${world.settings["FETCH_ALLOW"]},${server.host}`,
      CAPTURE_WAIT: "20 seconds"
    })
  beforeAll(async () => {
    world = await makeWorld()
    service = await start()
  })
  afterAll(async () => {
    await service.stop()
    service.clean()
    await Promise.all([server.stop(), world.stop()])
  })

  let saves = 0
  const titleOf = async (url = `${world.pages.url}/plain?t=Title+${saves++}`) => {
    const answer = await makeClient(service, world).capture({ url })
    const { title }: { readonly title: string } = await answer.json()
    return title
  }
  const children = () => childrenOf(service.pid)

  test("know no setting and no secret, hold no file of the library, and ignore what they would print", async () => {
    expect(await titleOf()).toBe("Title 0")
    const [child = 0] = children()
    const names = readFileSync(`/proc/${child}/environ`, "utf8")
      .split("\0")
      .flatMap((line) => (line === "" ? [] : [line.split("=")[0]]))
    expect(names.sort()).toEqual(["BUN_JSC_forceRAMSize", "TZ"])
    expect(readlinkSync(`/proc/${child}/cwd`)).toBe("/")
    const files = readdirSync(`/proc/${child}/fd`).map((fd) => readlinkSync(`/proc/${child}/fd/${fd}`))
    expect(files.filter((file) => file.includes(service.folder))).toEqual([])
    expect(readFileSync(`/proc/${child}/oom_score_adj`, "latin1").trim()).toBe("1000")
  })

  test("may be killed while they idle", async () => {
    for (let turn = 0; turn < 3; turn++) {
      for (const child of children()) process.kill(child, "SIGKILL")
      expect(await titleOf()).toStartWith("Title ")
    }
  })

  test("may be killed as they start and while they read: the link is saved by its host, and the next in full", async () => {
    const [large] = floods.filter(({ name }) => name === "unknown elements within each other")
    server.offer(large?.body() ?? new Uint8Array())
    let isOver = false
    let killed = 0
    const killing = (async () => {
      while (!isOver) {
        for (const child of children()) {
          process.kill(child, "SIGKILL")
          killed++
        }
        await Bun.sleep(1)
      }
    })()
    for (let turn = 0; turn < 3; turn++)
      expect(await titleOf(`http://${server.host}/${turn}`)).toBe("127.0.0.1")
    isOver = true
    await killing
    expect(killed).toBeGreaterThanOrEqual(3)
    expect(await titleOf()).toStartWith("Title ")
    const links = await makeClient(service, world).links()
    expect(links.filter(({ title }) => title === "127.0.0.1").map(({ enrichment }) => enrichment)).toEqual(
      Array(3).fill("partial")
    )
  })

  test("are few and leave nothing open after 200 saves", async () => {
    const descriptors = () => readdirSync(`/proc/${service.pid}/fd`).length
    await Promise.all([titleOf(), titleOf(), titleOf()])
    const before = descriptors()
    let most = 0
    for (let round = 0; round < 25; round++) {
      const titles = await Promise.all(Array.from({ length: 8 }, () => titleOf()))
      expect(titles.every((title) => title.startsWith("Title "))).toBe(true)
      most = Math.max(most, children().length)
    }
    expect(most).toBeLessThanOrEqual(2)
    // A connection to the fake servers may be open or not.
    expect(descriptors()).toBeLessThanOrEqual(before + 12)
  }, 120_000)

  test("end with the service, stopped or killed", async () => {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      await Promise.all([titleOf(), titleOf()])
      const before = children()
      expect(before.length).toBeGreaterThan(0)
      await service.stop(signal)
      await until(() => before.every((child) => !isRunning(child)), 5)
      service = await start()
    }
  }, 60_000)
})
