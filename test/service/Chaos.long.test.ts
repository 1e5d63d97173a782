import { expect, test } from "bun:test"
import { runChaos } from "../support/chaos.ts"

const ROUNDS = Number(process.env["CHAOS_ROUNDS"] ?? 4)

test(
  `the service keeps what it acknowledged, over ${ROUNDS} deaths of the process, its threads and its children`,
  async () => {
    const { acknowledged, broken, deaths, deleted, log } = await runChaos(ROUNDS, console.log)
    console.log({ deaths, acknowledged, deleted })
    if (broken.length > 0) console.log(log.slice(-5_000))
    expect(broken).toEqual([])
    for (const kind of ["message", "capture", "search", "edit", "delete", "import", "job"])
      expect([kind, (acknowledged[kind] ?? 0) > 0]).toEqual([kind, true])
  },
  300_000 + ROUNDS * 10_000
)
