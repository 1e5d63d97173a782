import { join } from "node:path"
import { PROGRAM, WITHOUT_OPTIMIZER } from "./program.ts"

/**
 * Runs a command in its own process, in `folder`, over the library in its folder `data`, and waits for its end. A list of
 * arguments may be followed by what the environment has besides.
 */
export const linkbower = async (
  folder: string,
  ...given: ReadonlyArray<string> | readonly [args: ReadonlyArray<string>, env?: Record<string, string>]
) => {
  const [first, more] = given
  const [args, env] =
    typeof first === "object" ? [first, typeof more === "object" ? more : {}] : [given.map(String), {}]
  const child = Bun.spawn([...PROGRAM, ...args], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      ...WITHOUT_OPTIMIZER,
      DATA_DIR: join(folder, "data"),
      PORT: "0",
      ...env
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe"
  })
  // One that should have refused and serves instead would wait forever.
  const timer = setTimeout(() => child.kill("SIGKILL"), 150_000)
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text()
  ])
  const code = await child.exited
  clearTimeout(timer)
  return { code, out, error }
}
