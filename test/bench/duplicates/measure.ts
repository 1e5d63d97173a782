import { readFileSync } from "node:fs"
import { join } from "node:path"
import { checkouts, runOver, table } from "../harness.ts"
import type { Pair, Verdict } from "./verdicts.ts"

/** Two links with the verdict of a reader: one page, or two. */
interface LabelledPair {
  readonly kind: string
  readonly same: boolean
  /** Whether the second address is the same link when it is saved, so that no second one is made. */
  readonly isOneLink: boolean
  /** Whether rules must not be fitted to it. Half of the pairs are, chosen by a hash of their addresses. */
  readonly held: boolean
  readonly links: Pair
}

/** FNV-1a, so that the halves stay what they are. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 13)) >>> 0
}

/**
 * A line has kind, two addresses, two titles and two descriptions; `~` repeats the first title or description.
 * A kind ends in `*` where both may be wanted, as an archived copy and the page, and are only proposed as duplicates.
 */
const parse = (line: string, same: boolean): LabelledPair => {
  const fields = line.split("¦").map((field) => field.trim())
  const [kind = "", first = "", second = "", title = "", otherTitle = "", text = "", otherText = ""] = fields
  if (fields.length !== 7 || title === "") throw new Error(`invalid pair: ${line}`)
  const other = (value: string, before: string) => (value === "~" ? before : value)
  return {
    kind: kind.replace("*", ""),
    same,
    isOneLink: same && !kind.endsWith("*"),
    held: hashOf(`${first} ${second}`) % 2 === 1,
    links: [
      { url: first, title, description: text },
      { url: second, title: other(otherTitle, title), description: other(otherText, text) }
    ]
  }
}

const read = (name: string, same: boolean) =>
  readFileSync(join(import.meta.dirname, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => parse(line, same))

interface Judged extends Verdict {
  readonly pair: LabelledPair
}

const measures = [
  ["address", (one: Judged) => one.byAddress, () => true],
  ["proposals", (one: Judged) => one.proposed, () => true],
  ["saving", (one: Judged) => one.atSaving, ({ isOneLink }: LabelledPair) => isOneLink]
] as const

/** Recall over the pairs that each measure applies to, and precision over all. */
const scoresOf = (judged: ReadonlyArray<Judged>) =>
  Object.fromEntries(
    measures.map(([measure, joined, applies]) => {
      const same = judged.filter(({ pair }) => pair.same && applies(pair))
      const all = judged.filter(joined)
      const share = (some: number, of: number) => (of === 0 ? "–" : (some / of).toFixed(2)).padStart(4)
      const recall = share(same.filter(joined).length, same.length)
      const precision = share(all.filter(({ pair }) => pair.same).length, all.length)
      return [`${measure}: recall, precision`, `${recall}  ${precision}`]
    })
  )

/**
 * Prints recall and precision of duplicates by kind, over labelled pairs of addresses: joined by address, proposed with
 * vectors and titles, and taken for one link at saving (recall over the pairs that saving is to join). `BEFORE` is the
 * folder of another checkout to compare with, `ENCODER` the encoder's file, with which the proposals are made; `WRONG=1` lists the mistakes, `WRONG=held` those of the held half too.
 */
export const duplicates = async () => {
  const labelled = [...read("same.txt", true), ...read("different.txt", false)]
  const wrong = process.env["WRONG"]
  for (const [name, root] of checkouts) {
    const pairs = labelled.map(({ links }) => links)
    const verdicts: ReadonlyArray<Verdict> = await runOver(root, "duplicates/verdicts.ts", pairs)
    const judged = labelled.flatMap((pair, at) => {
      const verdict = verdicts[at]
      return verdict === undefined ? [] : [{ ...verdict, pair }]
    })
    const row = (kind: string, isOne: (pair: LabelledPair) => boolean) => {
      const some = judged.filter(({ pair }) => isOne(pair))
      return { [name]: kind, pairs: some.length, ...scoresOf(some) }
    }
    table([
      row("all", () => true),
      row("tuning", ({ held }) => !held),
      row("held", ({ held }) => held),
      ...[...new Set(labelled.map(({ kind }) => kind))].map((kind) => row(kind, (pair) => pair.kind === kind))
    ])
    if (wrong === undefined) continue
    for (const [measure, joined, applies] of measures)
      for (const one of judged) {
        const { held, kind, links, same } = one.pair
        const isWrong = joined(one) !== same && (!same || applies(one.pair))
        if (isWrong && (!held || wrong === "held"))
          console.log(`${measure}, ${same ? "missed" : "joined"}, ${kind}: ${links[0].url} ${links[1].url}`)
      }
  }
}
