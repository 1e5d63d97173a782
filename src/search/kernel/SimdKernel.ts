import { readFileSync } from "node:fs"
import { type Kernel, makePortableKernel } from "./Kernel.ts"
import wasmFile from "./kernel.wasm" with { type: "file" }

/** A kernel build: SIMD in WebAssembly, or plain TypeScript. */
export type Build = "simd" | "portable"

const exportNames = ["attach", "scan", "scoreSlots", "packA", "neighbours"]

const isKernel = (exports: object): exports is Kernel =>
  exportNames.every((name) => typeof Reflect.get(exports, name) === "function")

let compiled: WebAssembly.Module | undefined

const simdModule = () => {
  compiled ??= new WebAssembly.Module(readFileSync(wasmFile))
  return compiled
}

let best: Build | undefined

/** The build that this engine runs fastest: it rejects the SIMD kernel's bytes on an x86-64 without AVX. */
const bestBuild = (): Build => {
  best ??= WebAssembly.validate(readFileSync(wasmFile)) ? "simd" : "portable"
  return best
}

/** Binds a kernel to a memory, compiling it once per thread; `build` defaults to the fastest one. */
export const makeKernel = (memory: WebAssembly.Memory, build = bestBuild()): Kernel => {
  if (build === "portable") return makePortableKernel(memory)
  const { exports } = new WebAssembly.Instance(simdModule(), { env: { memory } })
  if (!isKernel(exports)) throw new Error("the kernel lacks an export; rebuild it with build.ts")
  return exports
}
