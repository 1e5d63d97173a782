import { readdirSync, readFileSync } from "node:fs"

const statusOf = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/status`, "latin1")
  } catch {
    return ""
  }
}

const listOf = (folder: string) => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const childrenOfThread = (pid: number, thread: string) => {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1")
      .split(" ")
      .map(Number)
      .filter(Boolean)
  } catch {
    return []
  }
}

/** The processes that `parent` has started and that were not waited for; Linux alone (proc(5), children). */
export const childrenOf = (parent: number): ReadonlyArray<number> =>
  listOf(`/proc/${parent}/task`).flatMap((thread) => childrenOfThread(parent, thread))

/** Whether a process runs: one that has ended and was not waited for does not. */
export const isRunning = (pid: number): boolean => /^State:\s+[^ZX]/m.test(statusOf(pid))

/** The resident memory of a process in bytes; 0 where it is gone. */
export const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? 0) * 1024

const commandOf = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8")
  } catch {
    return ""
  }
}

/** The same of a process and those that it has started; until a child runs its own program it shares its parent's. */
export const wholeMemoryOf = (pid: number): number => {
  const own = commandOf(pid)
  const children = childrenOf(pid).filter((child) => commandOf(child) !== own)
  return [pid, ...children].reduce((sum, one) => sum + memoryOf(one), 0)
}

/** How long the first thread of a process has been running, in milliseconds (proc(5), schedstat). */
export const mainThreadTime = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "latin1").split(" ")[0]) / 1e6
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
