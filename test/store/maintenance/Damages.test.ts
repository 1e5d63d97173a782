import { Database as Sqlite } from "bun:sqlite"
import { beforeAll, describe, expect, test } from "bun:test"
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { Effect, Exit, Layer, Option } from "effect"
import * as Database from "../../../src/store/Database.ts"
import { InboxStore } from "../../../src/store/inbox/InboxStore.ts"
import { convert } from "../../../src/store/maintenance/Convert.ts"
import { inspect } from "../../../src/store/maintenance/Inspection.ts"
import { bundle } from "../../support/bundle.ts"
import { canFault, type Fault, faulty } from "../../support/faults.ts"
import { inDatabase, makeLibrary, thaw } from "../../support/libraryFile.ts"
import { makePlaces, open, opening, quiet } from "../../support/places.ts"
import { WITHOUT_OPTIMIZER } from "../../support/program.ts"
import { rowsOf } from "../../support/rows.ts"
import { sampleOf } from "../../support/tier.ts"

const PAGE = 4096
const { place, root } = makePlaces("damages")

/** Every row of every table, as text. */
const contentOf = (file: string): string => {
  const database = new Sqlite(file, { readonly: true })
  try {
    const tables = database
      .query<{ name: string }, []>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%' ORDER BY name"
      )
      .all()
    return JSON.stringify(
      tables.map(({ name }) => [name, database.query(`SELECT * FROM "${name}" ORDER BY 1, 2`).values()])
    )
  } finally {
    database.close()
  }
}

/** The result of damage: it is reported, changes nothing, or changes a value without a check. */
type Outcome = "reported" | "harmless" | "unseen"

const isReported = (file: string) =>
  quiet(
    inspect(file).pipe(
      Effect.map(
        ({ additions, lost, missingIndexes, withoutText, withoutVector }) =>
          Option.isSome(lost) || additions.length + missingIndexes.length + withoutText + withoutVector > 0
      ),
      // Each error names the file.
      Effect.catchAll((error) =>
        Effect.sync(() => {
          expect(error.message).toContain(file)
          return true
        })
      )
    )
  )

/** How doctor and a start treat a damaged library whose rows were `before`. */
const outcomeOf = async (file: string, before: string): Promise<Outcome> => {
  if (await isReported(file)) return "reported"
  if (Exit.isFailure(await quiet(Effect.exit(opening(file))))) return "reported"
  return contentOf(file) === before ? "harmless" : "unseen"
}

const spoil = (file: string, change: (bytes: Buffer) => void) => {
  const bytes = readFileSync(file)
  change(bytes)
  writeFileSync(file, bytes)
}

/** A sound library of the newest version in which every table has rows, and what is in it. */
const sound = join(root, "sound.db")
let content = ""
beforeAll(async () => {
  const earlier = join(root, "earlier.db")
  thaw(40, earlier)
  await quiet(convert(earlier, sound))
  await open(sound)
  content = contentOf(sound)
})

const damaged = (change: (file: string) => void) => {
  const { file } = place()
  copyFileSync(sound, file)
  writeFileSync(`${file}.initialised`, "")
  change(file)
  return file
}

describe("damage in the library's file", () => {
  test("is reported in any page of every table and index", async () => {
    const pages = inDatabase(sound, (database) =>
      database
        .query<{ name: string; page: number; kind: string }, []>(
          "SELECT name, min(pageno) AS page, pagetype AS kind FROM dbstat GROUP BY name, pagetype ORDER BY page"
        )
        .all()
    )
    const ways: ReadonlyArray<readonly [string, (bytes: Buffer, start: number) => void]> = [
      ["zeroed", (bytes, start) => bytes.fill(0, start)],
      ["overwritten", (bytes, start) => bytes.fill(0xa5, start)],
      ["of another kind", (bytes, start) => bytes.writeUInt8(bytes.readUInt8(start) ^ 0x08, start)],
      [
        "of too many cells",
        (bytes, start) => bytes.writeUInt16BE(bytes.readUInt16BE(start + 3) ^ 0x0400, start + 3)
      ]
    ]
    expect(pages.length).toBeGreaterThan(60)
    // Each page is zeroed, and damaged in one of the other ways in turn.
    const damages = pages.flatMap((page, index) =>
      ways
        .filter((_, at) => at === 0 || at === (page.kind === "overflow" ? 1 : 1 + (index % 3)))
        .map(([way, change]) => ({ ...page, way, change }))
    )
    for (const { change, kind, name, page, way } of sampleOf(damages, 15)) {
      const start = (page - 1) * PAGE + (page === 1 ? 100 : 0)
      const end = page * PAGE
      const file = damaged((copy) => spoil(copy, (bytes) => change(bytes.subarray(0, end), start)))
      const outcome = await outcomeOf(file, content)
      // In an overflow page only the number of the next page can be checked.
      if (kind !== "overflow") expect([name, kind, way, outcome]).not.toContain("unseen")
      rmSync(join(file, ".."), { recursive: true })
    }
  })

  test("is reported or harmless in each field of the header", async () => {
    const fields = [
      0, 7, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 28, 30, 32, 36, 40, 44, 47, 48, 52, 56, 59, 60, 64, 68,
      72, 92, 96
    ]
    for (const at of sampleOf(fields, 7)) {
      const file = damaged((copy) => spoil(copy, (bytes) => bytes.writeUInt8(bytes.readUInt8(at) ^ 0x01, at)))
      const outcome = await outcomeOf(file, content)
      expect([at, outcome]).not.toContain("unseen")
    }
  })

  test("is reported wherever the file is cut off or replaced", async () => {
    const { size } = statSync(sound)
    const changes: ReadonlyArray<(file: string) => void> = [
      ...[0, 1, 99, 512, PAGE, PAGE * 3, size / 4, size / 2, size - PAGE, size - 1].map(
        (length) => (file: string) => truncateSync(file, Math.floor(length))
      ),
      (file) => rmSync(file),
      (file) => writeFileSync(file, "a text\n".repeat(3000)),
      (file) => {
        rmSync(file)
        mkdirSync(file)
      },
      (file) => {
        rmSync(file)
        inDatabase(file, (database) => database.run("CREATE TABLE other (a)"))
      },
      (file) => appendFileSync(file, new Uint8Array(PAGE * 2).fill(7))
    ]
    for (const change of sampleOf(changes, 7)) {
      const outcome = await outcomeOf(damaged(change), content)
      expect([String(change), outcome]).not.toContain("unseen")
    }
  })

  test("can silently change only a value, because SQLite keeps no checksums", async () => {
    // The first row is stored at the end of a leaf.
    const page = inDatabase(
      sound,
      (database) =>
        database
          .query<{ page: number }, []>(
            "SELECT min(pageno) AS page FROM dbstat WHERE name = 'collections' AND pagetype = 'leaf'"
          )
          .get()?.page ?? 0
    )
    const file = damaged((copy) =>
      spoil(copy, (bytes) => bytes.writeUInt8(bytes.readUInt8(page * PAGE - 3) ^ 1, page * PAGE - 3))
    )
    const outcome = await outcomeOf(file, content)
    expect(outcome).not.toBe("harmless")
  })
})

describe("an altered schema", () => {
  const refused = rowsOf<readonly [statements: ReadonlyArray<string>, names: string]>(import.meta, "Damages")
  const told: ReadonlyArray<ReadonlyArray<string>> = [
    ["DROP INDEX links_title"],
    ["DROP INDEX links_created", "DROP INDEX public_links_created"],
    ["CREATE TABLE mine (a)"],
    ["CREATE VIEW mine AS SELECT 1 AS a"],
    ["CREATE INDEX mine ON links (language)"]
  ]
  const altered = (statements: ReadonlyArray<string>) =>
    damaged((file) =>
      inDatabase(file, (database) => {
        database.run("PRAGMA foreign_keys = OFF")
        for (const statement of statements) database.run(statement)
      })
    )

  for (const [statements, name] of sampleOf(refused, 8))
    test(`by ${statements.join("; ").slice(0, 90)}: is rejected by name, and the file stays unchanged`, async () => {
      const file = altered(statements)
      const before = readFileSync(file)
      const error = await quiet(Effect.flip(inspect(file)))
      expect(error._tag).toBe("SchemaAltered")
      expect(error.what).toContain(name)
      expect(error.message).toContain("linkbower restore FILE")
      expect(await quiet(Effect.flip(opening(file)))).toMatchObject({ _tag: "SchemaAltered" })
      expect(readFileSync(file).equals(before)).toBe(true)
    })

  /** Parts of the schema, overwritten with as many other characters. */
  const rewritten: ReadonlyArray<readonly [from: string, to: string, names: string]> = [
    ["ON DELETE SET NULL", "ON DELETE CASCADE ", "links"],
    ["note TEXT NOT NULL DEFAULT", "note TEXT     NULL DEFAULT", "links"],
    ["IN ('chat', 'capture')", "IN ('chat', 'nothing')", "inbox"],
    ["VALUES (old.link_id)", "VALUES (old.rowid  )", "vectors_removed"]
  ]
  for (const [from, to, name] of sampleOf(rewritten, 2))
    test(`by ${from} changed to ${to.trim()}: is rejected by name`, async () => {
      const file = damaged((copy) =>
        spoil(copy, (bytes) => {
          expect([bytes.includes(from), from.length]).toEqual([true, to.length])
          // The unused part of a page may hold an earlier copy of a row.
          for (let at = bytes.indexOf(from); at > 0; at = bytes.indexOf(from, at))
            bytes.write(to, at, "latin1")
        })
      )
      const error = await quiet(Effect.flip(inspect(file)))
      expect([error._tag, error.what]).toEqual(["SchemaAltered", expect.stringContaining(name)])
    })

  for (const statements of sampleOf(told, 3))
    test(`by ${statements.join("; ")}: is reported, and the library is opened`, async () => {
      const file = altered(statements)
      expect(await isReported(file)).toBe(true)
      await open(file)
      const { missingIndexes } = await quiet(inspect(file))
      expect(missingIndexes).toEqual([])
    })

  test("is not reported for statistics or a differently formatted statement", async () => {
    const file = altered([
      "ANALYZE",
      "DROP INDEX links_title",
      "CREATE INDEX links_title\n  ON links (title COLLATE NOCASE,\n id)"
    ])
    expect(await isReported(file)).toBe(false)
    await open(file)
  })
})

describe("damage in the log of a killed process", () => {
  let left = ""
  const KEYS = Array.from({ length: 20 }, (_, n) => `logged-${n}`)
  beforeAll(async () => {
    const file = damaged(() => {})
    left = place().file
    const keep = Effect.gen(function* () {
      const inbox = yield* InboxStore
      for (const key of KEYS) yield* inbox.keep({ source: "capture", key, payload: "p".repeat(900) })
      yield* Effect.sync(() => {
        for (const end of ["", "-wal", "-mark"]) copyFileSync(file + end, left + end)
      })
    })
    await quiet(Effect.scoped(Effect.provide(keep, Layer.provide(InboxStore.layer, Database.layer(file)))))
  })

  const keysIn = (file: string) =>
    inDatabase(file, (database) =>
      database
        .query<{ key: string }, []>("SELECT key FROM inbox WHERE key LIKE 'logged-%' ORDER BY id")
        .all()
        .map(({ key }) => key)
    )

  /** "harmless" if every acknowledged arrival is there. */
  const check = async (change: (log: string, mark: string) => void) => {
    const { file } = place()
    for (const end of ["", "-wal", "-mark"]) copyFileSync(left + end, file + end)
    change(`${file}-wal`, `${file}-mark`)
    if (await isReported(file)) return "reported"
    await open(file)
    return JSON.stringify(keysIn(file)) === JSON.stringify(KEYS) ? "harmless" : "unseen"
  }

  test("is reported in any part", async () => {
    const { size } = statSync(`${left}-wal`)
    const frame = PAGE + 24
    const flips = [
      ...[0, 3, 4, 8, 12, 16, 20, 24, 28],
      ...[0, 1, 2, 3].flatMap((n) =>
        [0, 4, 8, 12, 16, 20, 24, 500, 4000].map((at) => 32 + n * 5 * frame + at)
      ),
      ...[0, 4, 8, 16, 2000].map((at) => size - frame + at)
    ].filter((at) => at < size)
    for (const at of sampleOf(flips, 8)) {
      const bit = flips.indexOf(at) % 2 === 0 ? 0x01 : 0x80
      const outcome = await check((log) =>
        spoil(log, (bytes) => bytes.writeUInt8(bytes.readUInt8(at) ^ bit, at))
      )
      expect([at, bit, outcome]).not.toContain("unseen")
    }
  })

  test("is reported if the log is cut off, missing, zeroed or another library's", async () => {
    const { size } = statSync(`${left}-wal`)
    const { file: other } = place()
    await makeLibrary(other, 5)
    const database = new Sqlite(other)
    database.run("PRAGMA journal_mode = WAL")
    for (let n = 0; n < 40; n++) database.run("UPDATE links SET note = note || ?", [`more ${n}`])
    const foreign = readFileSync(`${other}-wal`)
    database.close()
    const changes: ReadonlyArray<(log: string) => void> = [
      (log) => rmSync(log),
      ...[0, 10, 32, 40, PAGE, size / 4, size / 2, size - PAGE - 24, size - PAGE, size - 1].map(
        (length) => (log: string) => truncateSync(log, Math.floor(length))
      ),
      (log) => writeFileSync(log, new Uint8Array(size)),
      (log) => writeFileSync(log, foreign),
      (log) => writeFileSync(log, new Uint8Array(size).fill(0xa5))
    ]
    for (const change of sampleOf(changes, 7)) {
      const outcome = await check(change)
      expect([String(change), outcome]).toContain("reported")
    }
    const withoutMark = await check((log, mark) => {
      rmSync(mark)
      writeFileSync(log, foreign)
    })
    expect(withoutMark).toBe("reported")
  })

  test("is harmless in an unacknowledged end or in the mark beside the log", async () => {
    for (const change of [
      () => {},
      (log: string) => appendFileSync(log, new Uint8Array(3000).fill(1)),
      (log: string) => appendFileSync(log, new Uint8Array(PAGE + 24)),
      (_: string, mark: string) => rmSync(mark),
      (_: string, mark: string) => writeFileSync(mark, "{"),
      (_: string, mark: string) => truncateSync(mark, 100)
    ]) {
      const outcome = await check(change)
      expect(outcome).toBe("harmless")
    }
  })
})

describe("a disk that fails under SQLite", () => {
  let script = ""
  beforeAll(async () => {
    script = await bundle("saveArrivals.ts")
  })

  const run = async (fault: Fault, fromTheStart: boolean) => {
    const file = damaged(() => {})
    const { env, off, on } = faulty(fault)
    if (fromTheStart) on()
    const child = Bun.spawn(
      [process.execPath, script, file, ...(fromTheStart ? [] : [env["FAULT_ARMED"] ?? ""])],
      { env: { PATH: process.env["PATH"], ...WITHOUT_OPTIMIZER, ...env }, stdout: "pipe", stderr: "pipe" }
    )
    const [out, error] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text()
    ])
    await child.exited
    off()
    // A crash, such as SIGBUS or SIGSEGV, leaves no exit code.
    expect([fault, child.signalCode, error]).toEqual([fault, null, ""])
    const kept = [...out.matchAll(/^kept (.*)$/gm)].map(([, key]) => key)
    const isTold = /^(refused|failed) /m.test(out)
    const lost = await quiet(inspect(file))
    expect([fault, lost.lost]).toEqual([fault, Option.none()])
    await open(file)
    const there = inDatabase(file, (database) =>
      database
        .query<{ key: string }, []>("SELECT key FROM inbox")
        .all()
        .map(({ key }) => key)
    )
    expect([fault, kept.filter((key) => !there.includes(key ?? ""))]).toEqual([fault, []])
    expect(existsSync(file)).toBe(true)
    return { kept: kept.length, isTold }
  }

  const steps = [0, 1, 3, 8, 21]
  const faults: ReadonlyArray<Fault> = [
    ...steps.map((after): Fault => ({ calls: "write", error: "EIO", after })),
    ...steps.map((after): Fault => ({ calls: "write", error: "ENOSPC", after })),
    ...steps.map((after): Fault => ({ calls: "sync", error: "EIO", after })),
    ...[0, 4, 16].map((after): Fault => ({ calls: "read", error: "EIO", after })),
    ...[0, 1].map((after): Fault => ({ calls: "truncate", error: "EIO", after }))
  ]

  test.skipIf(!canFault)(
    canFault
      ? "at any step crashes no process, and keeps everything acknowledged"
      : "is not tested without a C compiler",
    async () => {
      const cases = sampleOf(
        faults.flatMap((fault) => [
          { fault, early: false },
          ...((fault.after ?? 0) < 4 ? [{ fault, early: true }] : [])
        ]),
        7
      )
      let next = 0
      const worker = async () => {
        for (;;) {
          const one = cases[next++]
          if (one === undefined) return
          const { isTold, kept } = await run(one.fault, one.early)
          // All twelve are acknowledged, or the rest is rejected.
          expect([one, isTold || kept === 12]).toEqual([one, true])
        }
      }
      await Promise.all([worker(), worker(), worker(), worker()])
    }
  )
})
