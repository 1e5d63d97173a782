import { expect, test } from "bun:test"
import { compile } from "../../../src/search/kernel/build.ts"

const compiler = (() => {
  try {
    return Bun.resolveSync("assemblyscript/asc", import.meta.dir)
  } catch {
    return undefined
  }
})()

test.skipIf(compiler === undefined)(
  `kernel.wasm matches its source${compiler === undefined ? " (assemblyscript is not installed)" : ""}`,
  async () => {
    const checkedIn = await Bun.file(`${import.meta.dir}/../../../src/search/kernel/kernel.wasm`).bytes()
    expect(Buffer.from(await compile(compiler)).equals(checkedIn)).toBe(true)
  }
)
