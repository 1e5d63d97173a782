/**
 * The platforms that the program is built for, with Bun's name of each.
 *
 * `linux-x64` has no "baseline" variant: Bun's only build for that processor requires no more than SSE4.2. Only the
 * search kernel would use more: the engine compiles its SIMD if the processor has AVX, and otherwise it runs without.
 */
export const TARGETS = {
  "linux-x64": "bun-linux-x64",
  "linux-arm64": "bun-linux-arm64",
  "linux-x64-musl": "bun-linux-x64-musl",
  "linux-arm64-musl": "bun-linux-arm64-musl",
  "darwin-arm64": "bun-darwin-arm64"
} as const satisfies Readonly<Record<string, Bun.Build.CompileTarget>>

export type Target = keyof typeof TARGETS

export const isTarget = (name: string): name is Target => Object.hasOwn(TARGETS, name)

/** Returns the named targets, or an error message that lists the unknown ones. */
export const targetsNamed = (names: ReadonlyArray<string>): ReadonlyArray<Target> | string => {
  const unknown = names.filter((name) => !isTarget(name))
  return unknown.length > 0
    ? `Linkbower is not built for ${unknown.join(", ")}. Available targets: ${Object.keys(TARGETS).join(", ")}.`
    : names.filter(isTarget)
}
