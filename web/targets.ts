/**
 * The machines the program is built for, by our names, and what Bun calls them.
 *
 * There is no "baseline" beside `linux-x64`: Bun's one build for that processor asks for no more than SSE4.2. What would
 * ask for more is the search kernel, whose SIMD the engine compiles where there is AVX; elsewhere it runs without.
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

/** The targets that are named, or a sentence about those that there are not. */
export const targetsNamed = (names: ReadonlyArray<string>): ReadonlyArray<Target> | string => {
  const unknown = names.filter((name) => !isTarget(name))
  return unknown.length > 0
    ? `Linkbower is not built for ${unknown.join(", ")}. What it is built for: ${Object.keys(TARGETS).join(", ")}.`
    : names.filter(isTarget)
}
