import { closeSync, fsyncSync, openSync } from "node:fs"
import { link, lstat, open, readdir, realpath, rename, rm, stat } from "node:fs/promises"
import { hostname } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import { Data, Duration, Effect, Option } from "effect"
import { codeOf } from "./LiveFile.ts"

const sentences: Readonly<Record<string, string>> = {
  EEXIST: "there is already such a file",
  EFBIG: "the file is larger than its disk allows",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "its disk is read-only",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOENT: "its folder is missing",
  EBUSY: "it is a mount of its own; mount its folder instead",
  EISDIR: "it is a folder",
  ENOTREG: "it is not a regular file"
}

/** A file could not be written; any earlier file is unchanged. `code` is the system's error code, such as `ENOSPC`. */
export class FileNotReplaced extends Data.TaggedError("FileNotReplaced")<{
  readonly file: string
  readonly code: string
}> {
  /** The reason, worded as part of a sentence. */
  get reason() {
    return sentences[this.code] ?? this.code
  }
  override get message() {
    return `${this.file} could not be written: ${this.reason}.`
  }
}

/** Syncs a file or a folder to disk, blocking the thread. */
export const syncNow = (path: string) => {
  const handle = openSync(path, "r")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const sync = async (path: string) => {
  const handle = await open(path, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Distinguishes this machine or container from others that use the same disk. */
const machineId = new Bun.CryptoHasher("sha256").update(hostname()).digest("hex").slice(0, 8)

/** The temporary files that this process is writing. */
const unfinished = new Set<string>()

/** A new name for a temporary file beside `file`, which `removeAbandonedTemporaries` knows. */
export const temporaryFor = (file: string) =>
  `${file}.linkbower-${machineId}-${process.pid}-${crypto.randomUUID().slice(0, 8)}.tmp`

/** Resolves `file` through symbolic links. Rejects a device or a folder. */
const targetOf = async (file: string) => {
  const there = await stat(file).catch(() => undefined)
  if (there !== undefined && !there.isFile())
    throw Object.assign(new Error("not a file"), { code: there.isDirectory() ? "EISDIR" : "ENOTREG" })
  return there === undefined ? resolve(file) : await realpath(file)
}

/**
 * Moves the temporary file to its final name atomically; fails with `EEXIST` if `replace` is false and the name is
 * taken.
 */
const moveIntoPlace = async (temporary: string, target: string, replace: boolean) => {
  if (replace) return rename(temporary, target)
  try {
    await link(temporary, target)
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error
    // Some file systems do not support hard links.
    if (await lstat(target).catch(() => undefined))
      throw Object.assign(new Error("taken"), { code: "EEXIST" })
    return rename(temporary, target)
  }
  await rm(temporary, { force: true })
}

/**
 * Writes `file` atomically: `write` fills an empty temporary file beside it, readable only by its owner, which is then
 * synced and renamed over `file`, and the folder is synced. If any step fails or the process is killed, the earlier
 * file stays intact. `replace: false` refuses an existing name (`EEXIST`).
 */
export const replaceFile = <A, E, R>(
  file: string,
  write: (temporary: string) => Effect.Effect<A, E, R>,
  { replace = true }: { readonly replace?: boolean } = {}
): Effect.Effect<A, E | FileNotReplaced, R> => {
  const trying = <B>(work: () => Promise<B>) =>
    Effect.tryPromise({ try: work, catch: (error) => new FileNotReplaced({ file, code: codeOf(error) }) })
  return Effect.gen(function* () {
    const target = yield* trying(() => targetOf(file))
    const temporary = temporaryFor(target)
    const remove = Effect.promise(async () => {
      await Promise.all(
        [temporary, `${temporary}-journal`].map((path) => rm(path, { force: true }).catch(() => {}))
      )
      unfinished.delete(temporary)
    })
    const fill = Effect.gen(function* () {
      yield* trying(async () => (await open(temporary, "wx", 0o600)).close())
      const result = yield* write(temporary)
      yield* trying(async () => {
        await sync(temporary)
        await moveIntoPlace(temporary, target, replace)
        await sync(dirname(target))
      })
      return result
    })
    unfinished.add(temporary)
    return yield* Effect.ensuring(fill, remove)
  }).pipe(Effect.withSpan("ReplaceFile.replace"))
}

const TEMPORARY = /\.linkbower-([0-9a-f]{8})-(\d+)-[0-9a-f]{8}\.tmp(?:-journal)?$/
/** A temporary file whose writer cannot be checked counts as abandoned after this long without a change. */
const ABANDONED_AFTER = Duration.hours(1)

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === "EPERM"
  }
}

/**
 * Removes the temporary files that killed processes left in a folder, and returns their names. Removes only files named
 * by `replaceFile`; never one that a running process is writing.
 */
export const removeAbandonedTemporaries = Effect.fn("ReplaceFile.sweep")(function* (folder: string) {
  const now = Date.now()
  const isOld = async (path: string) => {
    const found = await stat(path).catch(() => undefined)
    return found !== undefined && now - found.mtimeMs > Duration.toMillis(ABANDONED_AFTER)
  }
  const isAbandoned = async (name: string) => {
    const path = join(folder, name)
    const [, where, writer] = TEMPORARY.exec(name) ?? []
    if (where === undefined) return false
    // A container's first process gets the same pid on every start.
    if (where === machineId && Number(writer) === process.pid)
      return ![...unfinished].some((one) => basename(one) === name.replace(/-journal$/, ""))
    return where === machineId ? !isAlive(Number(writer)) : await isOld(path)
  }
  const names = yield* Effect.option(Effect.tryPromise(() => readdir(folder)))
  return yield* Effect.promise(async () => {
    const removed: Array<string> = []
    for (const name of Option.getOrElse(names, (): Array<string> => [])) {
      if (!(await isAbandoned(name))) continue
      await rm(join(folder, name), { force: true }).then(
        () => removed.push(name),
        () => {}
      )
    }
    return removed
  })
})
