import { dlopen } from "bun:ffi"
import { tmpdir } from "node:os"

/** Compiles `scan.c` for this processor and loads it. */
export const native = () => {
  const library = `${tmpdir()}/linkbower-bench-scan-${process.pid}.so`
  const built = Bun.spawnSync([
    ...["gcc", "-O3", "-march=native", "-shared", "-fPIC"],
    ...[`${import.meta.dir}/scan.c`, "-o", library]
  ])
  if (!built.success) throw new Error(built.stderr.toString())
  return dlopen(library, {
    kind: { args: [], returns: "cstring" },
    nearest: { args: ["ptr", "ptr", "i32", "i32", "ptr", "i32", "ptr", "ptr"], returns: "void" },
    nearest_streams: { args: ["ptr", "ptr", "i32", "i32", "ptr", "i32", "ptr", "ptr"], returns: "void" },
    pairs: { args: ["ptr", "ptr", "i32", "i32", "f32"], returns: "i64" },
    pairs_tiled: { args: ["ptr", "ptr", "i32", "i32", "f32"], returns: "i64" }
  }).symbols
}
