/** Runs the service for development: rebuilds app and documentation on changes, and restarts the service. */
import { watch } from "node:fs"
import { join } from "node:path"

const app = join(import.meta.dir, "app")
const list = join(import.meta.dir, "public")
const onboarding = join(import.meta.dir, "onboarding")
const docs = join(import.meta.dir, "docs")
const bun = process.execPath

const build = () =>
  Bun.spawnSync([bun, join(app, "build.ts")], { stdout: "inherit", stderr: "inherit" }).success

if (!build()) process.exit(1)

let pending: Timer | undefined
for (const folder of [app, list, onboarding, docs])
  watch(folder, { recursive: true }, () => {
    clearTimeout(pending)
    pending = setTimeout(build, 100)
  })

// The service imports a module that the build writes, so Bun's watch mode notices each build.
const service = Bun.spawn([bun, "--watch", "src/main.ts", "serve"], {
  cwd: join(import.meta.dir, ".."),
  stdio: ["inherit", "inherit", "inherit"]
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => service.kill(signal))
process.exit(await service.exited)
