/**
 * The program of every worker thread: the first argument names its work. Work is loaded when it is needed, and must listen
 * for messages by the time it is loaded.
 */
const works: Readonly<Record<string, (argument: string) => Promise<void>>> = {
  /** Expensive reads, over a read-only connection to this database. */
  reader: async (library) => (await import("./search/Reader.ts")).serveReader(library),
  /** Takes part in the comparison of all links of a plan, in the memory of the plan's thread. */
  comparison: async () => (await import("./search/kernel/Comparison.ts")).serveComparison(),
  /** Reads of the public list, over a read-only connection to this database. */
  public: async (library) => (await import("./search/PublicSearch.ts")).servePublic(library),
  /** Takes part in checking a library before it is opened, and checks the open one. */
  check: async () => (await import("./store/maintenance/TableCheck.ts")).serveCheck(),
  /** Embeds texts with the encoder in this file. */
  encoder: async (file) => (await import("./enrich/embedding/encoder/EncoderThread.ts")).serveEncoder(file),
  import: async () => (await import("./transfer/ImportReader.ts")).serveImport(),
  backup: async () => (await import("./store/maintenance/PackedBackup.ts")).serveBackup(),
  book: async () => (await import("./transfer/books/BookWriter.ts")).serveBook(),
  /** Shows the progress of a file while SQLite blocks the program's own thread. */
  progress: async (watched) => (await import("./cli/FileProgress.ts")).watchFile(JSON.parse(watched))
}

// The runtime drops a message that arrives before somebody listens.
const early: Array<unknown> = []
const keep = ({ data }: MessageEvent<unknown>) => early.push(data)
self.addEventListener("message", keep)
const [, , work = "", argument = ""] = Bun.argv
// Loading runs most code once, as the start of the program does.
Bun.unsafe.setJITPolicy(200)
await works[work]?.(argument)
Bun.unsafe.setJITPolicy(1)
self.removeEventListener("message", keep)
for (const data of early) self.dispatchEvent(new MessageEvent("message", { data }))

export {}
