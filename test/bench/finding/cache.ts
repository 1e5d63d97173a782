import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const CACHE = join(tmpdir(), "linkbower-finding")
/** The most results kept; the one used longest ago makes room. */
const KEPT = 12

/** Hashes the files in these folders of a checkout, by path and content, together with the input. */
const keyOf = (root: string, folders: ReadonlyArray<string>, input: string): string => {
  const hash = createHash("sha256").update(input)
  for (const folder of folders)
    for (const path of [...new Bun.Glob("**/*").scanSync(join(root, folder))].toSorted())
      hash.update(path).update(readFileSync(join(root, folder, path)))
  return hash.digest("hex").slice(0, 16)
}

const lastUsed = (folder: string): number => statSync(folder).mtimeMs

const makeRoom = () => {
  const folders = readdirSync(CACHE).map((name) => join(CACHE, name))
  for (const folder of folders.toSorted((a, b) => lastUsed(b) - lastUsed(a)).slice(KEPT))
    rmSync(folder, { recursive: true, force: true })
}

/**
 * Returns a folder that `make` has filled from the input and with the code in these folders of the checkout; from an
 * earlier run if neither has changed since.
 */
export const cached = async (
  { folders, input, root }: { root: string; folders: ReadonlyArray<string>; input: string },
  make: (folder: string) => Promise<void>
): Promise<string> => {
  const folder = join(CACHE, keyOf(root, folders, input))
  if (existsSync(folder)) {
    utimesSync(folder, new Date(), new Date())
    return folder
  }
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  await make(unfinished)
  // Another run may have made the same in the meantime.
  if (existsSync(folder)) rmSync(unfinished, { recursive: true })
  else renameSync(unfinished, folder)
  makeRoom()
  return folder
}
