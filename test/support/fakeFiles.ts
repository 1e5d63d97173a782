import type { Body } from "./telegramRules.ts"

/** The largest file that the cloud's Bot API lets a bot download (https://core.telegram.org/bots/api#getfile). */
const MAX_DOWNLOAD = 20 * 1024 * 1024

/** The files that people have sent to a bot, as Telegram keeps them. */
export const fakeFiles = () => {
  const files = new Map<string, { readonly path: string; readonly bytes: Uint8Array<ArrayBuffer> }>()
  const fake = {
    /** The requests for a file's bytes. */
    downloads: 0,
    /** Replaces the answer to a download, as an outage does. */
    answer: (): Response | Promise<Response> | undefined => undefined,
    /** Keeps a file; returns the `document` of the message that carries it. */
    add: (file_name: string, content: string | Uint8Array, path?: string) => {
      const bytes = Uint8Array.from(typeof content === "string" ? new TextEncoder().encode(content) : content)
      const file_id = `BQACAgIAAxkB-${files.size + 1}`
      files.set(file_id, { path: path ?? `documents/file_${files.size + 1}.bin`, bytes })
      return { file_id, file_unique_id: `u${files.size}`, file_name, file_size: bytes.length }
    },
    getFile: (file_id: string): Response => {
      const found = files.get(file_id)
      const refused = (description: string) =>
        Response.json({ ok: false, error_code: 400, description }, { status: 400 })
      if (found === undefined)
        return refused("Bad Request: wrong file_id or the file is temporarily unavailable")
      if (found.bytes.length > MAX_DOWNLOAD) return refused("Bad Request: file is too big")
      const result = { file_id, file_size: found.bytes.length, file_path: found.path }
      return Response.json({ ok: true, result })
    },
    /** Answers a GET below `/file/bot<token>/`. */
    download: (pathname: string): Response | Promise<Response> => {
      fake.downloads++
      const path = /^\/file\/bot[^/]+\/(.+)$/.exec(pathname)?.[1]
      const found = [...files.values()].find((one) => one.path === path)
      const missing = Response.json({ ok: false, error_code: 404, description: "Not Found" }, { status: 404 })
      return fake.answer() ?? (found === undefined ? missing : new Response(found.bytes))
    }
  }
  return fake
}

/** A file in a multipart request. */
export interface UploadedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The file in a field of a request; undefined if there is none. */
export const uploadedIn = (body: Body, field: string): UploadedFile | undefined => {
  const value = body[field]
  return typeof value === "object" && value !== null && "name" in value && "bytes" in value
    ? { name: String(value.name), bytes: value.bytes instanceof Uint8Array ? value.bytes : new Uint8Array() }
    : undefined
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The fields of a request, as JSON or multipart; numbers and objects of the latter are parsed. */
export const bodyOf = async (request: Request): Promise<Body> => {
  if (!(request.headers.get("content-type") ?? "").startsWith("multipart/form-data")) {
    const given: unknown = await request.json()
    return Object.fromEntries(Object.entries(given ?? {}))
  }
  const entries = [...(await request.formData())].map(async ([name, value]) => [
    name,
    typeof value === "string"
      ? name === "caption"
        ? value
        : parsed(value)
      : { name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) }
  ])
  return Object.fromEntries(await Promise.all(entries))
}
