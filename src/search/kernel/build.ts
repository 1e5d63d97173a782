/**
 * Compiles the kernels to WebAssembly; the output is deterministic. Run `bun src/search/kernel/build.ts` with
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
  ...["--enable", "simd", "--importMemory", "--initialMemory", "1"]
]
const shared = ["--enable", "threads", "--sharedMemory", "--maximumMemory", "32768"]

/** The kernels, each beside its source, and the options of its memory. */
export const kernels = [
  { source: `${import.meta.dir}/kernel.as`, memory: shared },
  { source: `${import.meta.dir}/../../enrich/embedding/encoder/encoder.as`, memory: [] }
]

/** Compiles a kernel; loads the compiler (AssemblyScript 0.28) from `from`. */
export const compile = async (
  kernel: (typeof kernels)[number],
  from = "assemblyscript/asc"
): Promise<Uint8Array> => {
  const compiler: unknown = await import(from)
  if (!isCompiler(compiler)) throw new Error(`${from} is not AssemblyScript's compiler`)
  const source = await Bun.file(kernel.source).text()
  let bytes = new Uint8Array()
  const { error, stderr } = await compiler.default.main([...options, ...kernel.memory], {
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
  for (const kernel of kernels) {
    const bytes = await compile(kernel, process.argv[2])
    await Bun.write(kernel.source.replace(/as$/, "wasm"), bytes)
    console.log(`${kernel.source}: ${bytes.length} bytes`)
  }
}
