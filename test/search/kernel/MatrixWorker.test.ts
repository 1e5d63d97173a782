import { expect, test } from "bun:test"
import type { Build } from "../../../src/search/kernel/Kernel.ts"
import { makeMatrix } from "../../../src/search/kernel/Matrix.ts"

const worker = (build: Build) => `
  import { attachMatrix } from ${JSON.stringify(`${import.meta.dir}/../../../src/search/kernel/Matrix.ts`)}
  let matrix
  self.onmessage = ({ data }) => {
    if (data.share) matrix = attachMatrix(data.share, ${JSON.stringify(build)})
    postMessage(matrix.nearest(new Float32Array(16).fill(0.25), 2).map(({ id }) => id))
  }
`

for (const build of ["plain", "relaxed", "portable"] as const)
  test(`a worker searches the rows that the main thread writes, before and after the memory grows, ${build} build`, async () => {
    const matrix = makeMatrix(16, build)
    matrix.set(1, new Int8Array(16).fill(127), 0.25 / 127)
    const thread = new Worker(
      URL.createObjectURL(new Blob([worker(build)], { type: "application/typescript" }))
    )
    const ask = (message: object) =>
      new Promise((resolve) => {
        thread.onmessage = ({ data }) => resolve(data)
        thread.postMessage(message)
      })
    try {
      expect(await ask({ share: matrix.share })).toEqual([1])
      for (let id = 2; id <= 20_000; id++) matrix.set(id, new Int8Array(16).fill(-127), 0.25 / 127)
      matrix.set(20_001, new Int8Array(16).fill(127), 0.26 / 127)
      expect(await ask({})).toEqual([20_001, 1])
    } finally {
      thread.terminate()
    }
  })
