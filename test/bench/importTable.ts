import { readdirSync, readFileSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { Effect, Either } from "effect"
import type { Bookmark, BookmarkFile } from "../../src/domain/Bookmark.ts"
import type { FormatError } from "../../src/transfer/Format.ts"
import { readBookmarkFile } from "../../src/transfer/files/BookmarkFile.ts"
import { readBookmarkZip, type ZipPart } from "../../src/transfer/files/BookmarkZip.ts"
import { openFile } from "../../src/transfer/files/Container.ts"
import { DATA } from "../support/data.ts"
import { samples } from "../transfer/support/samples.ts"

/**
 * Prints what an import would find in each of these files, and in a sample of every format: recognized format, links,
 * rejected entries, and how many of the links have tags, a note, and so on. Each file of a zip has a line of its own. With
 * `--show`, also prints the links.
 *
 *     bun test/bench/importTable.ts [--show] [FILE or FOLDER …]
 */

const paths = process.argv.slice(2).filter((argument) => argument !== "--show")
const isShown = process.argv.includes("--show")

/** Returns the files at a path, in the folders below it too. */
const filesAt = (path: string): ReadonlyArray<string> =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .toSorted()
        .flatMap((name) => filesAt(join(path, name)))
    : [path]

const columns = [
  ["found", 6],
  ["bad", 5],
  ["title", 6],
  ["tags", 6],
  ["note", 6],
  ["descr", 6],
  ["date", 6],
  ["folder", 7],
  ["fav", 5],
  ["unread", 7],
  ["archived", 9],
  ["text", 5]
] as const

const cells = (values: ReadonlyArray<number | string>) =>
  values.map((value, index) => String(value).padStart(columns[index]?.[1] ?? 0)).join("")

const line = (name: string, format: string, rest: string) =>
  console.log(`${name.slice(-58).padEnd(59)}${format.padEnd(20)}${rest}`)

const counts = (bookmarks: ReadonlyArray<Bookmark>, rejected: number) => {
  const withA = (has: (one: Bookmark) => boolean) => bookmarks.filter(has).length
  return [
    bookmarks.length,
    rejected,
    withA(({ title }) => title !== ""),
    withA(({ tags }) => tags.length > 0),
    withA(({ note }) => note !== ""),
    withA(({ description }) => description !== ""),
    withA(({ createdAt }) => createdAt !== null),
    withA(({ folders }) => folders.length > 0),
    withA(({ favorite }) => favorite),
    withA(({ state }) => state === "unread"),
    withA(({ state }) => state === "archived"),
    withA(({ text }) => text !== "")
  ]
}

/** Returns what the file holds, or the files in it. */
const partsOf = (name: string, bytes: Uint8Array): Effect.Effect<ReadonlyArray<ZipPart>, FormatError> =>
  Effect.flatMap(openFile(basename(name), bytes), (contents) =>
    contents._tag === "Zip"
      ? Effect.map(readBookmarkZip(contents.entries), (parts) =>
          parts.map((part) => ({ ...part, name: `${name}: ${part.name}` }))
        )
      : Effect.map(readBookmarkFile(contents.name, contents.bytes), (file) => [
          { name, read: Either.right(file) }
        ])
  )

const print = async (name: string, bytes: Uint8Array) => {
  const parts = await Effect.runPromise(Effect.either(partsOf(name, bytes)))
  if (Either.isLeft(parts)) line(name, "-", `  ${parts.left.message.slice(0, 90)}`)
  else
    for (const part of parts.right)
      if (Either.isLeft(part.read)) line(part.name, "-", `  ${part.read.left.slice(0, 90)}`)
      else printFile(part.name, part.read.right)
}

const printFile = (name: string, { bookmarks, format, unreadable }: BookmarkFile) => {
  line(name, format, cells(counts(bookmarks, unreadable.length)))
  if (!isShown) return
  for (const one of bookmarks.slice(0, 20)) console.log("   ", JSON.stringify(one))
  for (const one of unreadable.slice(0, 20)) console.log("   ", JSON.stringify(one))
}

line("file", "format", cells(columns.map(([name]) => name)))
for (const path of paths.length === 0 ? [join(DATA, "bookmarks")] : paths)
  for (const file of filesAt(path)) await print(file, readFileSync(file))
if (paths.length === 0)
  for (const [name, sample] of Object.entries(samples))
    await print(
      `sample of ${name}`,
      new TextEncoder().encode(typeof sample === "string" ? sample : JSON.stringify(sample))
    )
