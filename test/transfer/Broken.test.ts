import { describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit } from "effect"
import type { SourceFile } from "../../src/transfer/Format.ts"
import { formats } from "../../src/transfer/Formats.ts"
import { DATA, describeData } from "../support/data.ts"
import { randomOf } from "../support/randomLibrary.ts"
import { byTier } from "../support/tier.ts"
import { fileOf, jsonFile, reading, realFile, sampleFile } from "./support/files.ts"
import { samples } from "./support/samples.ts"

const random = randomOf(20_260_101)
const below = (limit: number) => Math.floor(random() * limit)

const strange: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -1,
  1e300,
  "",
  "\ud800",
  "[",
  "']",
  [],
  {},
  [[null]],
  [{}],
  { name: 5 },
  { type: "link", text: 5 },
  "__proto__"
]

/** Replaces some values with values of another type. */
const swapped = (value: unknown, often: number): unknown => {
  if (random() < often) return strange[below(strange.length)]
  if (Array.isArray(value)) return value.map((inner) => swapped(inner, often))
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, swapped(inner, often)]))
  return value
}

const cut = (text: string) => {
  const from = random() < 0.5 ? 0 : below(text.length)
  return text.slice(from, from + below(text.length - from + 1))
}

const flipped = (text: string) => {
  const bytes = new TextEncoder().encode(text)
  for (let flips = 1 + below(8); flips > 0; flips--) bytes[below(bytes.length)] = below(256)
  return new TextDecoder().decode(bytes)
}

const marks = [
  ",",
  ";",
  "\t",
  '"',
  '""',
  "\n",
  "\r\n",
  "\r",
  "\\n",
  "|",
  "[",
  "]",
  "'",
  "\u0000",
  "\ufeff",
  "\u2028"
]

const sprinkled = (text: string) => {
  let changed = text
  for (let times = 1 + below(10); times > 0; times--) {
    const at = below(changed.length)
    changed = changed.slice(0, at) + marks[below(marks.length)] + changed.slice(at + below(3))
  }
  return changed
}

const isTime = (time: string | null) => time === null || new Date(time).toISOString() === time

/** Reads the file in every format. */
const survives = (file: SourceFile) => {
  for (const format of formats) {
    format.recognizes(file)
    const exit = Effect.runSyncExit(reading(format, file))
    if (Exit.isFailure(exit)) {
      expect(exit.cause).toMatchObject({ _tag: "Fail", error: { _tag: "FormatError" } })
      continue
    }
    const lines = file.text.split(/\r\n?|\n|\\n/).length
    const wrong = exit.value.bookmarks.filter(
      ({ createdAt, folders, place, tags, title, url }) =>
        url === "" ||
        title === url ||
        [...tags, ...folders].some((name) => typeof name !== "string" || name === "") ||
        !isTime(createdAt) ||
        place < 1 ||
        (format.counts === "line" && place > lines)
    )
    expect([format.name, wrong]).toEqual([format.name, []])
    for (const { reason } of exit.value.unreadable) expect(reason).toMatch(/^[A-Z].*\.$/)
  }
}

const batter = (file: SourceFile, rounds: number) => {
  for (let round = 0; round < rounds; round++) {
    survives(fileOf(cut(file.text)))
    survives(fileOf(flipped(file.text)))
    survives(fileOf(sprinkled(file.text)))
    if (file.json !== undefined) survives(jsonFile(swapped(file.json, 0.002 + 0.1 * random())))
  }
}

describe("Broken samples", () => {
  for (const [name, sample] of Object.entries(samples))
    test(`${name}'s fail only with a FormatError`, () => batter(sampleFile(sample), byTier(1, 10)))
})

describeData("bookmarks", "Broken files", () => {
  for (const folder of ["csv", "json"])
    for (const name of readdirSync(join(DATA, "bookmarks", folder)))
      test(`${folder}/${name} fails only with a FormatError`, () =>
        batter(realFile(`${folder}/${name}`), byTier(1, 25)))
})
