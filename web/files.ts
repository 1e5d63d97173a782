/** Files that are embedded: named by their content, kept as they are and compressed, and named in a module. */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"

/** A file to be served. */
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

/** A short name for a content. */
export const hashOf = (bytes: Uint8Array | string): string =>
  createHash("sha256").update(bytes).digest("base64url").replace(/[-_]/g, "").slice(0, 10)

/** The file under a name that changes with its content, so that it can be cached for ever. */
export const hashed = (name: string, bytes: Uint8Array): Asset => {
  const extension = extensionOf(name)
  return { name: `${basename(name, `.${extension}`)}-${hashOf(bytes)}.${extension}`, bytes }
}

/** The outputs of a bundle; rejects with what the bundler says. */
export const failing = (built: Bun.BuildOutput, what: string): Promise<Bun.BuildOutput> =>
  built.success
    ? Promise.resolve(built)
    : Promise.reject(new AggregateError(built.logs, `${what} does not build`))

const says = (path: string, bytes: Uint8Array) => existsSync(path) && readFileSync(path).equals(bytes)

/** A file that says the same already is left alone: whatever runs from there may be reading it. */
export const put = (path: string, content: Uint8Array | string): void => {
  const bytes = Buffer.from(content)
  if (!says(path, bytes)) writeFileSync(path, bytes)
}

/** A folder of embedded files and the module `assets.ts` beside it, which imports them. */
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

  /** Keeps a file; gives the name of its variable in the module. */
  const write = (name: string, bytes: Uint8Array): string => {
    put(join(files, `${name}.bin`), bytes)
    return keep(`${name}.bin`)
  }

  /** Packs only what has changed: that takes longer than everything else here. */
  const packed = (name: string, same: boolean, pack: () => Uint8Array): string => {
    if (same && existsSync(join(files, `${name}.bin`))) return keep(`${name}.bin`)
    return write(name, pack())
  }

  return {
    write,
    /** A file in all its forms, as the source of an object: `type`, `identity`, and `br` and `gzip` where that is worth it. */
    forms: ({ bytes, name }: Asset): string => {
      const extension = extensionOf(name)
      const same = says(join(files, `${name}.bin`), bytes)
      // What is packed is written first, so that what a stopped build leaves is not taken for whole.
      const smaller = compressible.has(extension)
        ? `, br: ${packed(`${name}.br`, same, () => brotliCompressSync(bytes))}, gzip: ${packed(`${name}.gz`, same, () => gzipSync(bytes, { level: 9 }))}`
        : ""
      return `type: ${JSON.stringify(types[extension])}, identity: ${write(name, bytes)}${smaller}`
    },
    /** Writes the module, then removes the files that nothing names any more. */
    finish: (opening: string, body: string): void => {
      put(join(folder, "assets.ts"), `${opening}\n${imports.join("\n")}\n\n${body}`)
      // Last, for a service that runs from here is restarted when what names them changes.
      for (const file of stale) rmSync(join(files, file))
    }
  }
}
