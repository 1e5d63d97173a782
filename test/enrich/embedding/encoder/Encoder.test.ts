import { describe, expect, test } from "bun:test"
import { makeEncoder } from "../../../../src/enrich/embedding/encoder/Encoder.ts"
import { fileOfModel, parseModel } from "../../../../src/enrich/embedding/encoder/ModelFile.ts"
import { randomModel } from "./randomModel.ts"

const model = randomModel(1, ["<s>", "<pad>", "</s>", "<unk>", "\u2581", ..."abcdefghijklmnopqrstuvwxyz"])

describe("the encoder", () => {
  const encoder = makeEncoder(model)

  test("returns a unit vector, which its purpose and every piece change", () => {
    const vector = encoder.embed("words", "links")
    expect(Math.hypot(...vector)).toBeCloseTo(1, 6)
    expect(encoder.embed("words", "links")).toEqual(vector)
    expect(encoder.embed("words", "searches")).not.toEqual(vector)
    expect(encoder.embed("wards", "links")).not.toEqual(vector)
    expect(encoder.embed("", "links").every(Number.isFinite)).toBe(true)
  })

  test("reads the beginning of a long text", () => {
    const begun = "abcdefghij".repeat(7)
    expect(encoder.embed(`${begun} more`, "links")).toEqual(encoder.embed(begun, "links"))
  })
})

describe("the file", () => {
  const file = fileOfModel(model)

  test("holds the model", () => {
    expect(parseModel(file)).toEqual(model)
    // A buffer of the runtime's pool begins anywhere.
    expect(parseModel(Buffer.concat([Buffer.alloc(3), file]).subarray(3))).toEqual(model)
  })

  test.each([
    ["is cut off", file.subarray(0, -100)],
    ["is of another kind", Buffer.from("linkbower encoder 2\n{}\n")],
    ["is empty", new Uint8Array()]
  ])("is rejected if it %s", (_, bytes) => {
    expect(() => parseModel(bytes)).toThrow(/The encoder's file is cut off|This file is not an encoder/)
  })
})
