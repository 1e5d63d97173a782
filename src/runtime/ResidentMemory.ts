import { readFileSync } from "node:fs"
import { Effect } from "effect"

/** Linux: a line of proc(5)'s status, in kB; undefined where the process is gone. */
const fromProc = (pid: number): number | undefined => {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}

/** Elsewhere: what ps(1) prints, in kB. */
const fromPs = (pid: number) =>
  Effect.tryPromise(async () => {
    const ps = Bun.spawn(["ps", "-o", "rss=", "-p", String(pid)], { stdout: "pipe", stderr: "ignore" })
    return Number.parseInt(await new Response(ps.stdout).text(), 10) * 1024 || undefined
  }).pipe(Effect.orElseSucceed(() => undefined))

/** Returns the resident memory of a process in bytes; undefined where it is gone or cannot be read. */
export const residentMemory = (
  pid: number,
  platform: string = process.platform
): Effect.Effect<number | undefined> =>
  platform === "linux" ? Effect.sync(() => fromProc(pid)) : fromPs(pid)
