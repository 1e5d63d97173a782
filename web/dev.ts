/** Runs the service for development: the app is built anew when one of its files changes, the service restarted. */
import { watch } from "node:fs"
import { join } from "node:path"

const app = join(import.meta.dir, "app")
const bun = process.execPath

const build = () =>
  Bun.spawnSync([bun, join(app, "build.ts")], { stdout: "inherit", stderr: "inherit" }).success

if (!build()) process.exit(1)

let pending: Timer | undefined
watch(app, { recursive: true }, () => {
  clearTimeout(pending)
  pending = setTimeout(build, 100)
})

// The build writes a module that the service imports, so that its own watch notices.
const service = Bun.spawn([bun, "--watch", "src/main.ts", "serve"], {
  cwd: join(import.meta.dir, ".."),
  stdio: ["inherit", "inherit", "inherit"]
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => service.kill(signal))
process.exit(await service.exited)
