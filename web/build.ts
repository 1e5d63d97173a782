/** Builds the one binary into `dist/`: `bun web/build.ts [target]`, for this machine unless a Bun target is named. */

// The app's files are built first: the binary embeds them.
import "./app/build.ts"

const target = process.argv[2]
const name = target === undefined ? "linkbower" : `linkbower-${target.replace(/^bun-/, "")}`

const built = await Bun.build({
  entrypoints: ["src/main.ts", "src/ReaderThread.ts", "src/ImportThread.ts"],
  target: "bun",
  minify: { whitespace: true, syntax: true, identifiers: false },
  bytecode: true,
  compile: {
    outfile: `dist/${name}`,
    autoloadDotenv: false,
    autoloadBunfig: false,
    ...(target === undefined ? {} : { target: target as Bun.Build.CompileTarget })
  }
})

for (const log of built.logs) console.error(log)
if (!built.success) process.exit(1)
console.log(`dist/${name}: ${Math.round(Bun.file(`dist/${name}`).size / 1e6)} MB`)
