import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, ManagedRuntime } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import { ChangeStore } from "../../src/store/links/ChangeStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { compact } from "../../src/store/maintenance/Compaction.ts"
import { Erasure } from "../../src/store/maintenance/Erasure.ts"
import { storesAt } from "../support/library.ts"
import { claim, fill, finish } from "./library.ts"
import { interleaved, ms, report } from "./measure.ts"

const ROUNDS = 200
const MANY = 1_000
/** Rounds of bulk deletions. */
const FEW = 5

/** Opens the stores of a library that overwrites deleted data, if `secure`. */
const open = async (filename: string, secure: boolean) => {
  const runtime = ManagedRuntime.make(Layer.merge(storesAt(filename), Layer.setTracerEnabled(false)))
  const run = <A, E>(work: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof storesAt>>>) =>
    runtime.runPromise(work)
  if (!secure) await run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`PRAGMA secure_delete = OFF`))
  return { run, close: () => runtime.dispose() }
}
/** Merges the indexes like the upgrade. */
const optimize = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(
    ["links_fts", "links_trigram"],
    (index) => sql`INSERT INTO ${sql(index)} (${sql(index)}) VALUES ('optimize')`
  )
)

type Opened = Awaited<ReturnType<typeof open>>

/** The measured steps on one library. Single and bulk deletions use different links. */
const workOn = ({ run }: Opened, size: number) => {
  let next = size
  let last: LinkId | undefined
  let one = size
  // Enough for all rounds and the warm-up.
  let many = MANY * (FEW + 1)
  const remove = (ids: ReadonlyArray<number>) =>
    run(Effect.flatMap(LinkStore, (links) => links.remove(ids.map((id) => LinkId.make(id)))))
  return {
    save: async () => {
      const n = next++
      const id = await run(claim(n))
      last = id
      await run(finish(id, n))
    },
    edit: () =>
      run(
        Effect.flatMap(ChangeStore, (changes) =>
          changes.apply({
            fields: ["title"],
            links: [{ id: last ?? LinkId.make(1), title: `Edited ${Math.random()}`, titleByHand: true }]
          })
        )
      ),
    "delete one": () => remove([one--]),
    "delete 1,000": () => {
      many -= MANY
      return remove(Array.from({ length: MANY }, (_, index) => many + index + 1))
    }
  }
}
type Step = keyof ReturnType<typeof workOn>

const GOALS: Record<Step, number> = { save: 1.25, edit: 1.25, "delete one": 1.5, "delete 1,000": 1.5 }

/** The cost of overwriting deleted data: the same work on two copies of a library, in turns. */
export const deletion = async () => {
  for (const size of [10_000, 100_000]) {
    const folder = mkdtempSync(join(tmpdir(), "linkbower-bench-"))
    const files = { secure: join(folder, "secure.db"), plain: join(folder, "plain.db") }
    try {
      const filling = await open(files.secure, true)
      await filling.run(fill(0, size))
      await filling.close()
      copyFileSync(files.secure, files.plain)
      const [secure, plain] = [await open(files.secure, true), await open(files.plain, false)]
      const works = { secure: workOn(secure, size), plain: workOn(plain, size) }
      const compare = async (step: Step, rounds: number) => {
        const times = await interleaved(
          (["plain", "secure"] as const).map((name) => ({ name, run: works[name][step] })),
          rounds,
          { warmUp: rounds === FEW ? 1 : 20 }
        )
        const of = (name: string) => times.get(name) ?? Number.NaN
        report(
          `${step} at ${size} links, overwriting / keeping deleted data`,
          of("secure") / of("plain"),
          { most: GOALS[step] },
          `${ms(of("secure"))} / ${ms(of("plain"))}`
        )
      }
      await compare("save", ROUNDS)
      await compare("edit", ROUNDS)
      await compare("delete one", ROUNDS)
      await compare("delete 1,000", FEW)

      const timed = async <A>(work: Promise<A>) => {
        const start = performance.now()
        await work
        return ms(performance.now() - start)
      }
      const merged = await timed(secure.run(Effect.flatMap(Erasure, (erasure) => erasure.mergeIndexes)))
      const emptied = await timed(secure.run(Effect.flatMap(Erasure, (erasure) => erasure.emptyLog)))
      const optimized = await timed(plain.run(optimize))
      await Promise.all([secure.close(), plain.close()])
      const rewritten = await timed(Effect.runPromise(compact(files.secure)))
      console.log(
        `         after deletions at ${size} links: indexes merged in ${merged} with pauses, log emptied in ${emptied}`
      )
      console.log(
        `         upgrade at ${size} links: indexes merged in ${optimized}, file rewritten in ${rewritten}`
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
