import { describe, expect } from "bun:test"
import { copyFileSync, truncateSync } from "node:fs"
import { Effect, Layer } from "effect"
import { CheckHelper, LARGE } from "../../../src/store/maintenance/CheckHelper.ts"
import { quickInspect } from "../../../src/store/maintenance/Inspection.ts"
import { helpCheck, makeTableCheck, takeTable } from "../../../src/store/maintenance/TableCheck.ts"
import { effectTest } from "../../support/effect.ts"
import { makeLibrary, overwriteTable } from "../../support/libraryFile.ts"
import { makePlaces } from "../../support/places.ts"

const it = effectTest(Layer.empty)
const { place } = makePlaces("check-helper")

const { file: sound } = place()
await makeLibrary(sound)

/** A library so large that help is worth another thread: behind its pages the file is empty. */
const large = (...damaged: ReadonlyArray<string>) => {
  const { file } = place()
  copyFileSync(sound, file)
  for (const table of damaged) overwriteTable(file, table)
  truncateSync(file, LARGE)
  return file
}

let started = 0
const thread = CheckHelper.layer(() => {
  started++
  return new Worker(new URL("../../../src/Thread.ts", import.meta.url), { argv: ["check"] })
})

/** A second thread that takes every table, finds those sound that `isSound` names, and dies at the others. */
const takingAll = (isSound: (table: string) => boolean) =>
  Layer.succeed(CheckHelper, (check) =>
    Effect.sync(() => {
      const taken: Array<string> = []
      for (let table = takeTable(check); table !== undefined; table = takeTable(check)) taken.push(table)
      return Effect.succeed(taken.filter(isSound).map((table) => [table, []] as const))
    })
  )

describe("a check with a second thread", () => {
  it("finds a sound library sound, and starts a thread for a large one only", function* () {
    const few = yield* Effect.provide(quickInspect(sound), thread)
    expect(started).toBe(0)
    const { bytes: _, ...found } = yield* Effect.provide(quickInspect(large()), thread)
    expect(few).toMatchObject(found)
    expect(started).toBe(navigator.hardwareConcurrency > 1 ? 1 : 0)
  })

  for (const damaged of [
    ["links"],
    ["vectors", "collections"],
    ["links_fts_data"],
    ["links_trigram_idx", "inbox"]
  ])
    it(`finds the same damage as without: ${damaged}`, function* () {
      const file = large(...damaged)
      const alone = yield* Effect.flip(quickInspect(file))
      expect(alone._tag).toBe("DatabaseDamaged")
      expect(yield* Effect.flip(Effect.provide(quickInspect(file), thread))).toEqual(alone)
      expect(
        yield* Effect.flip(
          Effect.provide(
            quickInspect(file),
            takingAll(() => false)
          )
        )
      ).toEqual(alone)
    })

  it("does not check again what the other thread found sound", function* () {
    // Nothing but the check reads this table here.
    const file = large("page_keys")
    expect((yield* Effect.flip(quickInspect(file)))._tag).toBe("DatabaseDamaged")
    yield* Effect.provide(
      quickInspect(file),
      takingAll(() => true)
    )
  })

  it("checks everything without a thread that dies or cannot start", function* () {
    const script = new Blob(["self.onmessage = () => process.exit(7)"], { type: "text/javascript" })
    const dying = () => new Worker(URL.createObjectURL(script))
    const failing = () => {
      throw new Error("no more threads")
    }
    for (const spawn of [dying, failing]) {
      const helper = CheckHelper.layer(spawn)
      yield* Effect.provide(quickInspect(large()), helper)
      expect((yield* Effect.flip(Effect.provide(quickInspect(large("links")), helper)))._tag).toBe(
        "DatabaseDamaged"
      )
    }
  })

  it("says what is wrong with each table, and nothing of a file that it cannot open", function* () {
    const check = (file: string, tables: ReadonlyArray<string>) =>
      helpCheck(
        makeTableCheck({ file, unchanging: true, isWhole: false, comparesWords: false, rests: false, tables })
      )
    expect(check(sound, ["links", "vectors"])).toEqual([
      ["links", []],
      ["vectors", []]
    ])
    expect(check(large("links"), ["vectors", "links", "collections"])).toEqual([
      ["vectors", []],
      ["links", expect.arrayContaining([expect.any(String)])],
      ["collections", []]
    ])
    expect(check(`${sound}-gone`, ["links"])).toEqual([])
  })
})
