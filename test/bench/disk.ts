import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Appends a WAL frame and runs fdatasync: the minimum cost of a durable commit on this disk. */
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
