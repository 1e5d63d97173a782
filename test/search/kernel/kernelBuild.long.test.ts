import { expect, test } from "bun:test"
import { basename } from "node:path"
import { compile, kernels } from "../../../src/search/kernel/build.ts"

const compiler = (() => {
  try {
    return Bun.resolveSync("assemblyscript/asc", import.meta.dir)
  } catch {
    return undefined
  }
})()

for (const kernel of kernels)
  test.skipIf(compiler === undefined)(
    `${basename(kernel.source)} compiles to what is checked in${compiler === undefined ? " (assemblyscript is not installed)" : ""}`,
    async () => {
      const checkedIn = await Bun.file(kernel.source.replace(/as$/, "wasm")).bytes()
      expect(Buffer.from(await compile(kernel, compiler)).equals(checkedIn)).toBe(true)
    }
  )
