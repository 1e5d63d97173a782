import { describe, expect, test } from "bun:test"
import { gzipSync } from "node:zlib"
import { Effect, Either, Exit } from "effect"
import { bytes, describeData, json } from "../support/data.ts"
import { randomOf } from "../support/randomLibrary.ts"
import { byTier, sampleOf } from "../support/tier.ts"
import { readAny } from "./support/anyFile.ts"
import { binaries } from "./support/binaries.ts"
import { samples } from "./support/samples.ts"

import { zipOf } from "./support/zips.ts"

const random = randomOf(20_261_123)
const below = (limit: number) => Math.floor(random() * limit)
const oneOf = <A>(all: ReadonlyArray<A>): A => {
  const one = all[below(all.length)]
  if (one === undefined) throw new Error("nothing to choose from")
  return one
}

type Mutation = (whole: Buffer, other: Buffer) => Uint8Array

const cut: Mutation = (whole) => {
  const from = random() < 0.5 ? 0 : below(whole.length)
  return whole.subarray(from, from + below(whole.length - from + 1))
}

const flipped: Mutation = (whole) => {
  const changed = Buffer.from(whole)
  for (let flips = 1 + below(20); flips > 0 && changed.length > 0; flips--)
    changed[below(changed.length)] = below(256)
  return changed
}

/** Part of one file within another. */
const spliced: Mutation = (whole, other) => {
  const at = below(whole.length)
  return Buffer.concat([whole.subarray(0, at), cut(other, whole), whole.subarray(at + below(50))])
}

/** A piece many times over: deep brackets, long quotes, wide rows. */
const repeated: Mutation = (whole) => {
  const at = below(whole.length)
  const piece = whole.subarray(at, at + 1 + below(30))
  const times = Array<Buffer>(200 + below(2_000)).fill(piece)
  return Buffer.concat([whole.subarray(0, at), ...times, whole.subarray(at)])
}

const encoded: Mutation = (whole) => {
  const wide = Buffer.from(whole.toString("utf8"), "utf16le")
  return random() < 0.5 ? wide.swap16() : wide
}

const zipped: Mutation = (whole, other) =>
  flipped(
    Buffer.from(
      zipOf([
        { name: "a/one", data: whole, deflated: true },
        { name: "a/two.json", data: other, deflated: random() < 0.5 },
        { name: "three.html", data: cut(other, whole), ...(random() < 0.2 ? { shares: 1 } : {}) }
      ])
    ),
    other
  )

const packed: Mutation = (whole) => flipped(Buffer.from(gzipSync(whole)), whole)

const mutations = { cut, flipped, spliced, repeated, encoded, zipped, packed }

const isWhole = (text: string) => text.isWellFormed() && !text.includes("\0")

const survives = async (file: Uint8Array) => {
  const exit = await Effect.runPromiseExit(readAny(file))
  if (Exit.isFailure(exit)) {
    expect(exit.cause).toMatchObject({
      _tag: "Fail",
      error: { _tag: "FormatError", message: expect.stringMatching(/^\p{Lu}.*\.$/su) }
    })
    return
  }
  for (const { read } of exit.value) {
    if (Either.isLeft(read)) {
      expect(read.left).toMatch(/^\p{Lu}.*\.$/su)
      continue
    }
    const { bookmarks, unreadable } = read.right
    const broken = bookmarks.filter(
      ({ createdAt, description, folders, note, place, tags, text, title, url }) =>
        place < 1 ||
        url === "" ||
        ![url, title, note, description, text, ...tags, ...folders].every(isWhole) ||
        (createdAt !== null && new Date(createdAt).toISOString() !== createdAt)
    )
    expect(broken).toEqual([])
    for (const { reason } of unreadable) expect(reason).toMatch(/^\p{Lu}.*\.$/su)
  }
}

/** Changes every file in each way, several times. */
const batter = (all: ReadonlyArray<Buffer>, rounds: number) => {
  for (const [name, mutate] of Object.entries(mutations))
    test(`that is ${name} gives links or a sentence`, async () => {
      for (let round = 0; round < rounds; round++)
        for (const whole of all) await survives(mutate(whole, oneOf(all)))
    })
}

describe("A sample or a binary file", () =>
  batter(
    [
      ...Object.values(samples).map((sample) =>
        Buffer.from(typeof sample === "string" ? sample : JSON.stringify(sample))
      ),
      ...Object.values(binaries).map(([binary]) => Buffer.from(binary))
    ],
    1
  ))

describeData("bookmarks/index.json", "A real file", () =>
  batter(
    sampleOf(json<ReadonlyArray<{ readonly file: string }>>("bookmarks/index.json"), 12)
      .map(({ file }) => Buffer.from(bytes(`bookmarks/${file}`)))
      .filter(({ length }) => length > 0 && length < 100_000),
    byTier(1, 4)
  )
)
