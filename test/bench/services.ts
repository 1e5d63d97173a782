/** Services as contestants, and the libraries that they open. */
import { cpSync, existsSync, renameSync, statSync } from "node:fs"
import { join } from "node:path"
import { AS_RELEASED, PROGRAM } from "../support/program.ts"
import { makeClient, makeWorld, startService } from "../support/service.ts"
import { BEFORE, newFolder, read } from "./harness.ts"
import { makeLibrary } from "./realLinks.ts"

let libraries = process.env["BENCH_LIBRARIES"]

/**
 * A folder whose `data/library.db` is a new copy of a library of this size. `BENCH_LIBRARIES` names a folder that keeps
 * the libraries for later runs.
 */
export const libraryOf = async (size: number): Promise<string> => {
  libraries ??= newFolder("libraries")
  const made = join(libraries, `real-${size}`)
  if (!existsSync(made)) {
    await makeLibrary(`${made}.tmp`, size)
    renameSync(`${made}.tmp`, made)
  }
  const folder = newFolder()
  cpSync(made, folder, { recursive: true })
  return folder
}
export const fileIn = (folder: string): string => join(folder, "data", "library.db")

interface Options {
  readonly settings?: Readonly<Record<string, string>>
  readonly folder?: string
  readonly command?: ReadonlyArray<string>
}

const startContestant = async ({ command, folder, settings }: Options) => {
  const world = await makeWorld()
  const service = await startService({ ...world.settings, ...AS_RELEASED, ...settings }, folder, command)
  const gate = { headers: {}, until: 0 }
  /** The owner's headers; a token is valid for five minutes. */
  const owner = async (): Promise<Record<string, string>> => {
    if (Date.now() > gate.until) {
      gate.headers = { "cf-access-jwt-assertion": await world.gateway.token() }
      gate.until = Date.now() + 60_000
    }
    return gate.headers
  }
  /** Reads what the owner's API answers. */
  const get = async (path: string) => read(`${service.base}/dashboard/api${path}`, await owner())
  return { ...service, world, owner, get, client: makeClient(service, world) }
}
export type Contestant = Awaited<ReturnType<typeof startContestant>>

/** Starts the service as released, among fake servers, for some work; `command` may be another program. */
export const withService = async <A>(
  options: Options,
  work: (service: Contestant) => Promise<A>
): Promise<A> => {
  const service = await startContestant(options)
  try {
    return await work(service)
  } finally {
    await service.stop("SIGKILL")
    service.clean()
    await service.world.stop()
  }
}

/** The programs to compare: this checkout's, compiled, and the one that `BEFORE` names or is compiled from. */
export const programs = async (): Promise<ReadonlyArray<readonly [string, ReadonlyArray<string>]>> => {
  const now = ["now", PROGRAM] as const
  if (BEFORE === undefined) return [now]
  if (statSync(BEFORE).isFile()) return [["before", [BEFORE]], now]
  const program = join(newFolder("before"), "linkbower")
  const script = `await (await import("./web/compile.ts")).compile({ path: ${JSON.stringify(program)} })`
  const child = Bun.spawn([process.execPath, "-e", script], { cwd: BEFORE, stderr: "inherit" })
  if ((await child.exited) !== 0) throw new Error(`${BEFORE} could not be compiled`)
  return [["before", [program]], now]
}
