import { cpSync, rmSync } from "node:fs"
import { join } from "node:path"
import { type LabelledPair, labelledPairs } from "./pairs.ts"
import type { Verdict, Verdicts } from "./verdicts.ts"

const HERE = "test/bench/duplicates"

/** Runs the pairs through a checkout, with this checkout's labels. */
const verdictsOf = async (root: string): Promise<Verdicts> => {
  const own = join(import.meta.dirname, "../../..")
  const isOther = root !== own
  if (isOther) cpSync(import.meta.dirname, join(root, HERE), { recursive: true })
  const child = Bun.spawn([process.execPath, join(HERE, "verdicts.ts")], { cwd: root, stdout: "pipe" })
  const text = await new Response(child.stdout).text()
  if (isOther) rmSync(join(root, HERE), { recursive: true })
  return JSON.parse(text)
}

interface Judged extends Verdict {
  readonly pair: LabelledPair
}

/** Recall over the pairs that the measure applies to, and precision over all. */
const scoreOf = (
  judged: ReadonlyArray<Judged>,
  joined: (one: Judged) => boolean,
  applies: (pair: LabelledPair) => boolean
) => {
  const same = judged.filter(({ pair }) => pair.same && applies(pair))
  const all = judged.filter(joined)
  const share = (some: number, of: number) => (of === 0 ? "   –" : (some / of).toFixed(2).padStart(4))
  return `${share(same.filter(joined).length, same.length)} ${share(all.filter(({ pair }) => pair.same).length, all.length)}`
}

const columns = [
  ["address", (one: Judged) => one.byAddress, () => true],
  ["proposals", (one: Judged) => one.proposed, () => true],
  ["saving", (one: Judged) => one.atSaving, ({ isOneLink }: LabelledPair) => isOneLink]
] as const

const print = (title: string, judged: ReadonlyArray<Judged>) => {
  const rows: ReadonlyArray<readonly [string, ReadonlyArray<Judged>]> = [
    ["all", judged],
    ["tuning", judged.filter(({ pair }) => !pair.held)],
    ["held", judged.filter(({ pair }) => pair.held)],
    ...[...new Set(judged.map(({ pair }) => pair.kind))].map(
      (kind) => [kind, judged.filter(({ pair }) => pair.kind === kind)] as const
    )
  ]
  console.log(`\n${title.padEnd(16)} pairs  ${columns.map(([name]) => name.padEnd(9)).join("  ")}`)
  console.log(`${" ".repeat(23)}${columns.map(() => " rec prec").join("  ")}`)
  for (const [name, some] of rows)
    console.log(
      `${name.padEnd(16)} ${String(some.length).padStart(5)}  ${columns
        .map(([_, joined, applies]) => scoreOf(some, joined, applies))
        .join("  ")}`
    )
}

/**
 * Prints recall and precision of duplicates by kind, over labelled pairs of addresses: joined by address, proposed with
 * vectors and titles, and taken for one link at saving (recall over the pairs that saving is to join). `BEFORE` is the
 * folder of another checkout to compare with; `WRONG=1` lists the mistakes, `WRONG=held` those of the held half too.
 */
export const duplicates = async () => {
  const pairs = labelledPairs()
  const before = process.env["BEFORE"]
  const checkouts = [
    ...(before === undefined ? [] : [["before", before] as const]),
    ["now", join(import.meta.dirname, "../../..")] as const
  ]
  for (const [name, root] of checkouts) {
    const verdicts = await verdictsOf(root)
    const judged = pairs.flatMap((pair, at) => {
      const verdict = verdicts.pairs[at]
      return verdict === undefined ? [] : [{ ...verdict, pair }]
    })
    print(name, judged)
    if (process.env["WRONG"] === undefined) continue
    for (const [measure, joined, applies] of columns)
      for (const one of judged) {
        const { held, kind, links, same } = one.pair
        const isWrong = joined(one) !== same && (!same || applies(one.pair))
        if (isWrong && (!held || process.env["WRONG"] === "held"))
          console.log(`${measure}, ${same ? "missed" : "joined"}, ${kind}: ${links[0].url} ${links[1].url}`)
      }
    for (const group of verdicts.strangers) console.log(`not labelled as a pair: ${group.join(" ")}`)
  }
}

if (import.meta.main) await duplicates()
