import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const ROOT = "/sys/fs/cgroup"

/** The limits of the shipped systemd unit: memory in bytes (`MemoryMax`) and threads (`TasksMax`). */
const SHIPPED = { memory: 1024 ** 3, tasks: 256 }

/** The folders of a control group and the files with its limits and peak memory. */
const layout = (name: string) =>
  existsSync(join(ROOT, "cgroup.controllers"))
    ? {
        folders: [join(ROOT, name)],
        memory: join(ROOT, name, "memory.max"),
        peak: join(ROOT, name, "memory.peak"),
        tasks: join(ROOT, name, "pids.max")
      }
    : {
        folders: [join(ROOT, "memory", name), join(ROOT, "pids", name)],
        memory: join(ROOT, "memory", name, "memory.limit_in_bytes"),
        peak: join(ROOT, "memory", name, "memory.max_usage_in_bytes"),
        tasks: join(ROOT, "pids", name, "pids.max")
      }

/**
 * A control group (cgroups(7), version 1 or 2) with the limits of the shipped unit; undefined if this user may not create
 * one. `wrap` starts a command inside it; `peak` returns the peak memory in bytes, file caches included.
 */
export const limited = (bounds = SHIPPED) => {
  const { folders, memory, peak, tasks } = layout(`linkbower-${process.pid}`)
  try {
    for (const folder of folders) mkdirSync(folder)
    writeFileSync(memory, String(bounds.memory))
    writeFileSync(tasks, String(bounds.tasks))
  } catch {
    return undefined
  }
  const enter = folders.map((folder) => `echo $$ > ${folder}/cgroup.procs`).join(" && ")
  return {
    wrap: (command: ReadonlyArray<string>) => ["sh", "-c", `${enter} && exec "$@"`, "sh", ...command],
    peak: () => Number(readFileSync(peak, "utf8")),
    remove: () => {
      for (const folder of folders) rmdirSync(folder)
    }
  }
}
