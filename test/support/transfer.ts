import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BunFileSystem } from "@effect/platform-bun"
import { Chunk, ConfigProvider, Effect, Layer, Schema, Stream } from "effect"
import { files } from "../../src/Application.ts"
import { Link } from "../../src/domain/Link.ts"
import { type ExportFormat, ExportLinks } from "../../src/library/ExportLinks.ts"
import { type ImportOptions, ImportWriter } from "../../src/library/ImportWriter.ts"
import { LinkList } from "../../src/store/links/LinkList.ts"
import { ImportStore } from "../../src/store/transfer/ImportStore.ts"
import { offline, offlineAt } from "./libraryOf.ts"

const NOWHERE = join(tmpdir(), "linkbower-test-nowhere")

/** What takes files in and writes them, its uploads in `folder`. */
const filesIn = (folder: string) =>
  files.pipe(
    Layer.provideMerge(BunFileSystem.layer),
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["DATA_DIR", folder]]))))
  )

/** This library with what takes files in and writes them, its uploads in `folder`. */
export const filesOver = (library: ReturnType<typeof offline>, folder = NOWHERE) =>
  Layer.provideMerge(filesIn(folder), library)

/** An empty library with what takes files in and writes them, its uploads in `folder`. */
export const withFiles = (folder = NOWHERE) => filesOver(offline(), folder)

/** The same over the library in a file. */
export const withFilesAt = (folder: string, filename: string) =>
  Layer.provideMerge(filesIn(folder), offlineAt(filename))

/** A folder for the length of the test. */
export const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "linkbower-test-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Takes in the file at `path`. */
export const takeFile = Effect.fnUntraced(function* (path: string, options: Partial<ImportOptions> = {}) {
  const takeIn = yield* ImportWriter
  const store = yield* ImportStore
  const keepNumbers = yield* store.isUntouched
  return yield* takeIn.file(
    { path },
    {
      later: false,
      keepNumbers,
      keepShared: false,
      undo: crypto.randomUUID(),
      onStep: () => Effect.void,
      onWait: ({ error }) => Effect.fail(error),
      ...options
    }
  )
})

/** Takes in a file that says this. */
export const takeText = Effect.fnUntraced(function* (
  name: string,
  text: string,
  options: Partial<ImportOptions> = {}
) {
  const path = join(yield* temporary, name)
  writeFileSync(path, text)
  return yield* takeFile(path, options)
})

/** The library as one file. */
export const exported = Effect.fnUntraced(function* (format: ExportFormat) {
  const pieces = yield* Stream.runCollect((yield* ExportLinks).write(format))
  return Chunk.join(pieces, "")
})

const decode = Schema.decode(Schema.Array(Schema.parseJson(Link)))

/** Every link, the first one saved first. */
export const allLinks = Effect.gen(function* () {
  const list = yield* LinkList
  const page = yield* list.page({ terms: [], filters: [], sort: "oldest" })
  return yield* Effect.orDie(decode(page.links))
})
