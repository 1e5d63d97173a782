import { closeSync, fsyncSync, openSync } from "node:fs"
import { link, lstat, open, readdir, realpath, rename, rm, stat } from "node:fs/promises"
import { hostname } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import { Data, Duration, Effect, Option } from "effect"

const sentences: Readonly<Record<string, string>> = {
  EEXIST: "there is already such a file",
  EFBIG: "the file is larger than its disk allows",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "its disk is read-only",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOENT: "its folder is missing",
  EISDIR: "it is a folder",
  ENOTREG: "it is not a regular file"
}

/** A file could not be written; what was there before is unchanged. `code` is the system's, such as `ENOSPC`. */
export class FileNotReplaced extends Data.TaggedError("FileNotReplaced")<{
  readonly file: string
  readonly code: string
}> {
  /** Why, as part of a sentence. */
  get reason() {
    return sentences[this.code] ?? this.code
  }
  override get message() {
    return `${this.file} could not be written: ${this.reason}.`
  }
}

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EUNKNOWN"

/** Syncs a file or a folder to the disk, and blocks meanwhile. */
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

/** Tells this machine from another one, or from another container, that uses the same disk. */
const machine = new Bun.CryptoHasher("sha256").update(hostname()).digest("hex").slice(0, 8)

/** The temporary files that this process is writing. */
const unfinished = new Set<string>()

const temporaryFor = (file: string) =>
  `${file}.linkbower-${machine}-${process.pid}-${crypto.randomUUID().slice(0, 8)}.tmp`

/** Where the file itself lies, should `file` be a link to it. A device or a folder is no file to replace. */
const targetOf = async (file: string) => {
  const there = await stat(file).catch(() => undefined)
  if (there !== undefined && !there.isFile())
    throw Object.assign(new Error("not a file"), { code: there.isDirectory() ? "EISDIR" : "ENOTREG" })
  return there === undefined ? resolve(file) : await realpath(file)
}

/** Gives the temporary file its name in one step, which fails where `replace` is false and the name is taken. */
const putInPlace = async (temporary: string, target: string, replace: boolean) => {
  if (replace) return rename(temporary, target)
  try {
    await link(temporary, target)
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error
    // Some disks know no second name of a file.
    if (await lstat(target).catch(() => undefined))
      throw Object.assign(new Error("taken"), { code: "EEXIST" })
    return rename(temporary, target)
  }
  await rm(temporary, { force: true })
}

/**
 * Writes `file` in one step: `write` fills an empty temporary file beside it, readable by its owner alone, which is synced,
 * renamed over it, and whose folder is synced. Where anything fails, or the process is killed, the earlier file stays
 * whole. `replace: false` refuses a name that is taken (`EEXIST`).
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
        await putInPlace(temporary, target, replace)
        await sync(dirname(target))
      })
      return result
    })
    unfinished.add(temporary)
    return yield* Effect.ensuring(fill, remove)
  }).pipe(Effect.withSpan("ReplaceFile.replace"))
}

const TEMPORARY = /\.linkbower-([0-9a-f]{8})-(\d+)-[0-9a-f]{8}\.tmp(?:-journal)?$/
/** As earlier versions named them. */
const EARLIER = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp(?:-journal)?$/
/** A file whose writer cannot be asked for counts as abandoned when it has not changed for so long. */
const ABANDONED = Duration.hours(1)

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === "EPERM"
  }
}

/**
 * Removes the temporary files that killed processes have left in a folder, and returns their names. Only files named by
 * `replaceFile` are removed, and those of earlier versions whose names begin with `prefix`; never one that a living
 * process writes.
 */
export const sweepTemporaries = Effect.fn("ReplaceFile.sweep")(function* (folder: string, prefix: string) {
  const now = Date.now()
  const isOld = async (path: string) => {
    const found = await stat(path).catch(() => undefined)
    return found !== undefined && now - found.mtimeMs > Duration.toMillis(ABANDONED)
  }
  const isAbandoned = async (name: string) => {
    const path = join(folder, name)
    const [, where, writer] = TEMPORARY.exec(name) ?? []
    if (where === undefined) return EARLIER.test(name) && name.startsWith(prefix) && (await isOld(path))
    // A container's first process has the same number each time.
    if (where === machine && Number(writer) === process.pid)
      return ![...unfinished].some((one) => basename(one) === name.replace(/-journal$/, ""))
    return where === machine ? !isAlive(Number(writer)) : await isOld(path)
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
