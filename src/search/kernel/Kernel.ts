import { readFileSync } from "node:fs"
import plainFile from "./kernel.wasm" with { type: "file" }
import relaxedFile from "./kernel-relaxed.wasm" with { type: "file" }
import { makePortableKernel } from "./Portable.ts"

/** The exports of `kernel.as`, documented there. Addresses, slots and counts are integers. */
interface KernelExports {
  readonly attach: (table: number, stride: number, scratch: number) => number
  readonly codesAt: (slot: number) => number
  readonly scaleOf: (slot: number) => number
  readonly idOf: (slot: number) => number
  readonly kill: (slot: number) => void
  readonly seal: (slot: number, id: number, scale: number) => void
  readonly prepare: (query: number, wide: number, narrow: number, most: number) => number
  readonly refine: (candidates: number, query: number, heap: number) => void
  readonly scoreSlots: (list: number, count: number, query: number, heap: number) => void
  readonly scanInOrder: (first: number, rows: number, query: number, heap: number) => void
  readonly scanInStreams: (first: number, rows: number, query: number, heap: number) => void
  readonly packA: (from: number, count: number, level: number) => void
  readonly pairs: (from: number, to: number, threshold: number, out: number, limit: number) => number
  readonly foundUpTo: () => number
  readonly neighbours: (from: number, to: number, heaps: number, bytes: number) => void
  readonly tested: () => number
}

/** A kernel bound to a memory; if `relaxed`, its scan takes the 7-bit query. */
export interface Kernel extends KernelExports {
  readonly relaxed: boolean
}

const exportNames = [
  ...["attach", "codesAt", "scaleOf", "idOf", "kill", "seal", "scoreSlots", "scanInOrder", "scanInStreams"],
  ...["prepare", "refine", "packA", "pairs", "foundUpTo", "neighbours", "tested"]
]

const isKernel = (exports: object): exports is KernelExports =>
  exportNames.every((name) => typeof Reflect.get(exports, name) === "function")

/** A kernel build: relaxed SIMD, plain SIMD, or the portable one, which needs neither. */
export type Build = keyof typeof files | "portable"

const files = { relaxed: relaxedFile, plain: plainFile } as const

const compiled = new Map<Build, WebAssembly.Module>()

const moduleOf = (build: keyof typeof files): WebAssembly.Module => {
  const known = compiled.get(build)
  if (known !== undefined) return known
  const module = new WebAssembly.Module(readFileSync(files[build]))
  compiled.set(build, module)
  return module
}

/** Returns the fastest build whose bytes the engine's `validate` accepts; an engine without AVX may reject SIMD. */
export const fastestBuild = (validate: (bytes: Uint8Array<ArrayBuffer>) => boolean): Build =>
  (["relaxed", "plain"] as const).find((build) => validate(readFileSync(files[build]))) ?? "portable"

let best: Build | undefined

const bestBuild = (): Build => {
  best ??= fastestBuild(WebAssembly.validate)
  return best
}

/** Binds the kernel to a shared memory, compiling it once per thread. */
export const makeKernel = (memory: WebAssembly.Memory, build: Build = bestBuild()): Kernel => {
  if (build === "portable") return { ...makePortableKernel(memory), relaxed: false }
  const { exports } = new WebAssembly.Instance(moduleOf(build), { env: { memory } })
  if (!isKernel(exports)) throw new Error("the kernel lacks an export; rebuild it with build.ts")
  return { ...exports, relaxed: build === "relaxed" }
}
