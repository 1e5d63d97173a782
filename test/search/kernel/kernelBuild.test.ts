import { expect, test } from "bun:test"
import { compile } from "../../../src/search/kernel/build.ts"

const compiler = (() => {
  try {
    return Bun.resolveSync("assemblyscript/asc", import.meta.dir)
  } catch {
    return undefined
  }
})()

const folder = `${import.meta.dir}/../../../src/search/kernel`

test.skipIf(compiler === undefined)(
  `the kernels checked in are those its source gives${compiler === undefined ? " (assemblyscript is not installed)" : ""}`,
  async () => {
    for (const [name, bytes] of Object.entries(await compile(compiler)))
      expect(Buffer.from(bytes).equals(await Bun.file(`${folder}/${name}`).bytes())).toBe(true)
  },
  60_000
)

test("the plain kernel needs no relaxed SIMD", async () => {
  // Relaxed instructions begin at 0xfd 0x80 0x02: the prefix and 256 as LEB128.
  const relaxed = (bytes: Uint8Array) => Buffer.from(bytes).includes(Buffer.from([0xfd, 0x93, 0x02]))
  expect(relaxed(await Bun.file(`${folder}/kernel.wasm`).bytes())).toBe(false)
  expect(relaxed(await Bun.file(`${folder}/kernel-relaxed.wasm`).bytes())).toBe(true)
})
