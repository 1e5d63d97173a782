import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** An append of a WAL frame's size and an fdatasync: what any durable commit costs at least on this disk. */
export const makeSync = () => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-bench-"))
  const file = openSync(join(folder, "log"), "a")
  const frame = new Uint8Array(4096 + 24)
  return {
    folder,
    run: () => {
      writeSync(file, frame)
      fdatasyncSync(file)
    },
    close: () => {
      closeSync(file)
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
