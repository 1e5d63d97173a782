import { describe, expect, test } from "bun:test"
import { type KeysBlock, makeLibrary } from "../../../web/extension/library.ts"
import { type Block, makeSaved } from "../../../web/extension/saved.ts"
import { makeHash } from "../../../web/extension/seen.ts"
import { fakeFetch, json, settings } from "./fakeService.ts"

/** A browser's list of a service that lists these blocks, by where they start. */
const fresh = (listed: Map<number, KeysBlock>) => {
  const kept = new Map<number, Block>()
  const stored = new Map<string, unknown>()
  let now = 1_700_000_000_000
  let isUp = true
  const service = fakeFetch(() => null)
  const library = makeLibrary({ ...settings, readToken: "lb_a" }, async (address, init) => {
    service.asked.push({ address, init })
    const block = listed.get(Number(new URL(address).searchParams.get("after")))
    if (!isUp || block === undefined) return json(503, {})
    const { etag, ...body } = block
    return new Headers(init.headers).get("if-none-match") === etag
      ? new Response(null, { status: 304 })
      : json(200, body, { etag })
  })
  const saved = makeSaved(
    makeHash(
      {
        get: async (key) => ({ [key]: stored.get(key) }),
        set: async (items) => {
          for (const [key, value] of Object.entries(items)) stored.set(key, value)
        }
      },
      (_, work) => work()
    ),
    {
      all: async () => [...kept.values()],
      put: async (block) => kept.set(block.after, block),
      remove: async (after) => kept.delete(after)
    },
    (_, work) => work(),
    () => now
  )
  return {
    saved,
    library,
    kept,
    asked: service.asked,
    passMinutes: (minutes: number) => {
      now += minutes * 60_000
    },
    fail: () => {
      isUp = false
    }
  }
}
const block = (etag: string, ids: ReadonlyArray<number>, next: number | null = null): KeysBlock => ({
  ids,
  keys: ids.map((id) => `example.org/${id}`),
  next,
  etag
})

describe("the list of saved pages", () => {
  test("knows the number of a saved page, and keeps no readable address", async () => {
    const { asked, kept, library, saved } = fresh(
      new Map([
        [0, block("a", [1, 3], 5_000)],
        [5_000, block("b", [5_001])]
      ])
    )
    expect(await saved.update(library)).toBe(true)
    expect(await Promise.all([1, 2, 3, 5_001].map((id) => saved.find(`example.org/${id}`)))).toEqual([
      1,
      undefined,
      3,
      5_001
    ])
    expect(JSON.stringify([...kept.values()])).not.toContain("example")
    expect(asked.map(({ address }) => address.slice(-10))).toEqual(["ys?after=0", "after=5000"])
  })

  test("asks again only for what has changed, and drops what is gone", async () => {
    const listed = new Map([
      [0, block("a", [1, 3], 5_000)],
      [5_000, block("b", [5_001])]
    ])
    const { kept, library, saved } = fresh(listed)
    await saved.update(library)
    const before = kept.get(0)
    listed.set(5_000, block("c", [5_002]))
    await saved.update(library)
    expect(kept.get(0)).toBe(before)
    expect([await saved.find("example.org/5001"), await saved.find("example.org/5002")]).toEqual([
      undefined,
      5_002
    ])
    listed.set(0, block("d", [3]))
    await saved.update(library)
    expect([...kept.keys()]).toEqual([0])
    expect([await saved.find("example.org/1"), await saved.find("example.org/3")]).toEqual([undefined, 3])
  })

  test("stays as it is while the service is away", async () => {
    const { fail, library, saved } = fresh(new Map([[0, block("a", [1])]]))
    await saved.update(library)
    fail()
    expect(await saved.update(library)).toBe(false)
    expect(await saved.find("example.org/1")).toBe(1)
    await saved.forget()
    expect(await saved.find("example.org/1")).toBeUndefined()
  })

  test("is looked up anew for somebody who waits, unless it has just been", async () => {
    const listed = new Map([[0, block("a", [1])]])
    const { asked, library, passMinutes, saved } = fresh(listed)
    expect(await saved.findFresh("example.org/1", library)).toBe(1)
    listed.set(0, block("b", [1, 2]))
    expect(await saved.findFresh("example.org/2", library)).toBeUndefined()
    passMinutes(2)
    expect(await saved.findFresh("example.org/2", library)).toBe(2)
    expect(asked.length).toBe(2)
    // Nothing in a request tells which address was meant.
    expect(asked.every(({ address, init }) => !/example\.org\/\d/.test(`${address}${init.body}`))).toBe(true)
  })
})
