/**
 * Compiles `kernel.as` to `kernel.wasm`; the output is deterministic. Run `bun src/search/kernel/build.ts` with
 * `assemblyscript` installed.
 */

/** The part of the AssemblyScript compiler used here. */
interface Compiler {
  readonly main: (
    options: ReadonlyArray<string>,
    files: {
      readonly readFile: (name: string) => string | null
      readonly writeFile: (name: string, bytes: Uint8Array | string) => void
      readonly listFiles: () => ReadonlyArray<string>
    }
  ) => Promise<{ readonly error: Error | null; readonly stderr: { readonly toString: () => string } }>
}

const isCompiler = (value: unknown): value is { readonly default: Compiler } =>
  typeof value === "object" && value !== null && "default" in value

const options = [
  "kernel.ts",
  ...["--outFile", "kernel.wasm"],
  ...["--runtime", "stub", "-O3", "--converge", "--noAssert", "--use", "abort="],
  ...["--enable", "simd", "--enable", "threads"],
  ...["--importMemory", "--sharedMemory", "--initialMemory", "1", "--maximumMemory", "32768"]
]

/** Compiles the kernel; loads the compiler (AssemblyScript 0.28) from `from`. */
export const compile = async (from = "assemblyscript/asc"): Promise<Uint8Array> => {
  const compiler: unknown = await import(from)
  if (!isCompiler(compiler)) throw new Error(`${from} is not AssemblyScript's compiler`)
  const source = await Bun.file(`${import.meta.dir}/kernel.as`).text()
  let bytes = new Uint8Array()
  const { error, stderr } = await compiler.default.main(options, {
    readFile: (name) => (name === "kernel.ts" ? source : null),
    writeFile: (_, output) => {
      if (typeof output !== "string") bytes = new Uint8Array(output)
    },
    listFiles: () => []
  })
  if (error !== null) throw new Error(`${error.message}\n${stderr}`)
  return bytes
}

if (import.meta.main) {
  const bytes = await compile(process.argv[2])
  await Bun.write(`${import.meta.dir}/kernel.wasm`, bytes)
  console.log(`kernel.wasm: ${bytes.length} bytes`)
}
