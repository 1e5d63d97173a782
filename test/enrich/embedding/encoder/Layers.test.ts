import { expect, test } from "bun:test"
import { makeLayers } from "../../../../src/enrich/embedding/encoder/Layers.ts"
import { TOKENS, WIDTH } from "../../../../src/enrich/embedding/encoder/ModelFile.ts"
import { byTier } from "../../../support/tier.ts"
import { makePlainLayers } from "./plainLayers.ts"
import { randomModel, randomNumbers } from "./randomModel.ts"

test("the kernel computes the layers to the last bit as plain TypeScript does", () => {
  const model = randomModel(2, ["<s>"])
  const [kernel, plain] = [makeLayers(model), makePlainLayers(model)]
  const next = randomNumbers(3)
  // The longest text comes first, so that a shorter one finds its remains.
  for (const tokens of [byTier(21, TOKENS), 1, 4, 6]) {
    const states = Float32Array.from({ length: tokens * WIDTH }, () => 2 * next() - 1)
    // A state of nothing but zeros has no largest value to count from.
    states.fill(0, 0, WIDTH)
    const found = kernel(states)
    expect(new Uint32Array(found.buffer)).toEqual(new Uint32Array(plain(states).buffer))
    expect(found.every(Number.isFinite)).toBe(true)
  }
})
