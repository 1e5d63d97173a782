/** Embedded files: named by content hash, stored plain and compressed, and listed in a generated module. */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"

/** A file to serve. */
export interface Asset {
  readonly name: string
  readonly bytes: Uint8Array
}

const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
  png: "image/png",
  webp: "image/webp",
  webmanifest: "application/manifest+json"
}

const compressible = new Set(["js", "css", "html", "txt", "json", "svg", "webmanifest"])

const extensionOf = (name: string) => name.slice(name.lastIndexOf(".") + 1)

/** A short hash of a content: the first 10 letters and digits of its SHA-256 in base64url. */
export const hashOf = (bytes: Uint8Array | string): string =>
  createHash("sha256").update(bytes).digest("base64url").replace(/[-_]/g, "").slice(0, 10)

/** Names a file after its content, so that it can be cached forever. */
export const hashed = (name: string, bytes: Uint8Array): Asset => {
  const extension = extensionOf(name)
  return { name: `${basename(name, `.${extension}`)}-${hashOf(bytes)}.${extension}`, bytes }
}

/** Returns a successful bundle, or rejects with the bundler's logs. */
export const failing = (built: Bun.BuildOutput, what: string): Promise<Bun.BuildOutput> =>
  built.success
    ? Promise.resolve(built)
    : Promise.reject(new AggregateError(built.logs, `${what} does not build`))

/** Bundles one entry for the browser, minified. */
export const bundle = async (entry: string, define: Record<string, string> = {}): Promise<Uint8Array> => {
  const built = await failing(
    await Bun.build({ target: "browser", minify: true, entrypoints: [entry], define }),
    basename(entry)
  )
  const [output] = built.outputs
  return new Uint8Array((await output?.arrayBuffer()) ?? [])
}

const isCurrent = (path: string, bytes: Uint8Array) => existsSync(path) && readFileSync(path).equals(bytes)

/** Writes a file, unless it already has this content: a running service may be reading it. */
export const put = (path: string, content: Uint8Array | string): void => {
  const bytes = Buffer.from(content)
  if (!isCurrent(path, bytes)) writeFileSync(path, bytes)
}

/** Opens a folder for embedded files (`files/`) and the module that imports them (`assets.ts`). */
export const openOutput = (folder: string) => {
  const files = join(folder, "files")
  mkdirSync(files, { recursive: true })
  const stale = new Set(readdirSync(files))
  const imports: Array<string> = []

  const keep = (file: string): string => {
    stale.delete(file)
    const variable = `file${imports.length}`
    imports.push(`import ${variable} from "./files/${file}" with { type: "file" }`)
    return variable
  }

  /** Writes a file, and returns the name of its variable in the module. */
  const write = (name: string, bytes: Uint8Array): string => {
    put(join(files, `${name}.bin`), bytes)
    return keep(`${name}.bin`)
  }

  /** Compresses a file only if it has changed, because compression takes longer than everything else here. */
  const packed = (name: string, same: boolean, pack: () => Uint8Array): string => {
    if (same && existsSync(join(files, `${name}.bin`))) return keep(`${name}.bin`)
    return write(name, pack())
  }

  return {
    write,
    /** Writes all forms of a file, and returns source text: `type`, `identity`, and `br` and `gzip` if compressible. */
    forms: ({ bytes, name }: Asset): string => {
      const extension = extensionOf(name)
      const same = isCurrent(join(files, `${name}.bin`), bytes)
      // Writes the compressed forms first: then an interrupted build leaves no up-to-date file without them.
      const smaller = compressible.has(extension)
        ? `, br: ${packed(`${name}.br`, same, () => brotliCompressSync(bytes))}, gzip: ${packed(`${name}.gz`, same, () => gzipSync(bytes, { level: 9 }))}`
        : ""
      return `type: ${JSON.stringify(types[extension])}, identity: ${write(name, bytes)}${smaller}`
    },
    /** Writes the module, then removes files that it no longer imports. */
    finish: (opening: string, body: string): void => {
      put(join(folder, "assets.ts"), `${opening}\n${imports.join("\n")}\n\n${body}`)
      // Removed last: a service running from here needs them until the changed module restarts it.
      for (const file of stale) rmSync(join(files, file))
    }
  }
}
