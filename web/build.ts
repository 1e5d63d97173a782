import { relative } from "node:path"
import { compile } from "./compile.ts"
import { targetsNamed } from "./targets.ts"

/** Builds the program as one file in `dist/`: `bun web/build.ts [target…]`, for this machine if no target is named. */

const targets = targetsNamed(process.argv.slice(2))
if (typeof targets === "string") {
  console.error(targets)
  process.exit(2)
}

// The app's files are built first, because the binary embeds them.
await import("./app/build.ts")

for (const target of targets.length > 0 ? targets : [undefined]) {
  const path = await compile({ target })
  console.log(`${relative(".", path)}: ${Math.round(Bun.file(path).size / 1e6)} MB`)
}
