import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, ManagedRuntime } from "effect"
import { storesAt } from "../support/library.ts"
import { makeSync } from "./disk.ts"
import { claim, fill, finish } from "./library.ts"
import { interleaved, ms, report } from "./measure.ts"

/** Goal 6: a durable save costs little more than a sync of the disk, at any size of the library. */
export const save = async () => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-bench-"))
  const runtime = ManagedRuntime.make(
    Layer.merge(storesAt(join(folder, "library.db")), Layer.setTracerEnabled(false))
  )
  const sync = makeSync()
  let n = 0
  try {
    for (const size of [1_000, 10_000, 100_000]) {
      await runtime.runPromise(fill(n, size))
      n = size
      let id = await runtime.runPromise(claim(n++))
      const times = await interleaved(
        [
          { name: "sync", run: sync.run },
          {
            name: "claim",
            run: async () => {
              id = await runtime.runPromise(claim(n++))
            }
          },
          { name: "finish", run: () => runtime.runPromise(Effect.asVoid(finish(id, n))) }
        ],
        300
      )
      const of = (name: string) => times.get(name) ?? Number.NaN
      for (const step of ["claim", "finish"])
        report(
          `durable ${step} of a link at ${size} links / fdatasync`,
          of(step) / of("sync"),
          { most: 1.6 },
          `${ms(of(step))} / ${ms(of("sync"))}`
        )
    }
  } finally {
    await runtime.dispose()
    sync.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
