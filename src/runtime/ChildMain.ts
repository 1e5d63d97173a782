import { writeFileSync } from "node:fs"

/**
 * A message between a service and a child process, written to a pipe.
 *
 * A frame is a kind (one byte), the lengths of its JSON and of its bytes (four bytes each, big-endian), then both. The
 * lengths come first, so the reader rejects an oversized frame before buffering it. This module does not import Effect:
 * a child that loads little starts quickly and stays small.
 */
export interface Frame {
  readonly kind: FrameKind
  /** JSON text; empty if the frame carries none. */
  readonly json: string
  readonly bytes: Uint8Array
}

/** `message`: a request or a reply. `end`: the child is ready for the next request. `failed`: the handler threw. */
type FrameKind = "message" | "end" | "failed"

const kinds: ReadonlyArray<FrameKind> = ["message", "end", "failed"]
const HEADER = 9
const NO_BYTES = new Uint8Array()

/** Encodes a frame as consecutive chunks; does not copy `bytes`. */
export const encodeFrame = (
  kind: FrameKind,
  json = "",
  bytes: Uint8Array = NO_BYTES
): ReadonlyArray<Uint8Array> => {
  const text = Buffer.from(json)
  const start = Buffer.allocUnsafe(HEADER + text.length)
  start.writeUInt8(kinds.indexOf(kind), 0)
  start.writeUInt32BE(text.length, 1)
  start.writeUInt32BE(bytes.length, 5)
  text.copy(start, HEADER)
  return bytes.length === 0 ? [start] : [start, bytes]
}

/** The input is not a valid frame, or announces one over the size limit. */
type BadFrame = "bad-frame"

/**
 * Makes a reader that parses frames from chunks of any size. It copies each byte once, to the place that it has in its
 * frame, so that a large request is held once. `limit` is the maximum size of a frame's JSON and bytes together.
 */
export const makeFrameReader = (limit: number) => {
  const header = Buffer.alloc(HEADER)
  /** The frame being read once its size is known, and how many bytes of it, or of its header, have arrived. */
  let frame: Buffer | undefined
  let held = 0

  const begin = (): BadFrame | undefined => {
    const size = header.readUInt32BE(1) + header.readUInt32BE(5)
    if (kinds[header.readUInt8(0)] === undefined || size > limit) return "bad-frame"
    frame = Buffer.allocUnsafeSlow(size)
    held = 0
    return undefined
  }

  const completed = (whole: Buffer): Frame | BadFrame | undefined => {
    if (held < whole.length) return undefined
    const kind = kinds[header.readUInt8(0)]
    const end = header.readUInt32BE(1)
    frame = undefined
    held = 0
    if (kind === undefined) return "bad-frame"
    return { kind, json: whole.toString("utf8", 0, end), bytes: whole.subarray(end) }
  }

  return {
    isWithin: () => frame !== undefined || held > 0,
    /** Adds a chunk and returns the frames it completes. */
    push: (chunk: Uint8Array): ReadonlyArray<Frame> | BadFrame => {
      const frames: Array<Frame> = []
      let at = 0
      while (at < chunk.length) {
        const target = frame ?? header
        const part = chunk.subarray(at, at + target.length - held)
        target.set(part, held)
        held += part.length
        at += part.length
        if (frame === undefined && held === HEADER && begin() === "bad-frame") return "bad-frame"
        const done = frame && completed(frame)
        if (done === "bad-frame") return done
        if (done !== undefined) frames.push(done)
      }
      return frames
    }
  }
}

export interface ChildRequest {
  readonly message: unknown
  readonly bytes: Uint8Array
}

/** Sends one reply; the promise resolves once the reply is flushed to the pipe. */
export type SendReply = (message: unknown, bytes?: Uint8Array) => Promise<void>

/** Resident memory, in bytes, above which a child runs the garbage collector after a request. */
const COLLECT_ABOVE = 80_000_000
const MAX_REQUEST = 64 * 1024 * 1024

/**
 * Starts a worker that kills this process once its parent is gone. During a long computation the main thread notices
 * neither a closed pipe nor a timer.
 */
const exitWithParent = (parent: number) => {
  const source = `setInterval(() => {
    if (process.ppid !== ${parent}) process.kill(process.pid, "SIGKILL")
  }, 250)`
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }))
  return new Worker(address)
}

/** Asks the kernel to kill the child before the service when memory runs out (proc(5), oom_score_adj); Linux only. */
const preferOomKill = () => {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000")
  } catch {
    // Not Linux, or not permitted: the parent's memory limit still applies.
  }
}

/** Disables the console: standard output carries the frames, and a library that logs would corrupt them. */
const muteConsole = () => {
  for (const method of ["debug", "error", "info", "log", "trace", "warn"] as const) console[method] = () => {}
}

/**
 * Serves the parent's requests one at a time until the parent closes the pipe or exits. `parent` is the parent's
 * process id. If the handler throws, the request fails and the next one is served.
 */
export const serveParent = async (
  parent: number,
  handle: (request: ChildRequest, reply: SendReply) => Promise<void>
): Promise<void> => {
  muteConsole()
  preferOomKill()
  exitWithParent(parent)
  const output = Bun.stdout.writer()
  const send = async (kind: FrameKind, json?: string, bytes?: Uint8Array) => {
    for (const piece of encodeFrame(kind, json, bytes)) output.write(piece)
    await output.flush()
  }
  const reply: SendReply = (message, bytes) => send("message", JSON.stringify(message), bytes)

  await send("end")
  const reader = makeFrameReader(MAX_REQUEST)
  for await (const chunk of Bun.stdin.stream()) {
    const frames = reader.push(chunk)
    if (frames === "bad-frame") break
    for (const { bytes, json } of frames) {
      try {
        const message: unknown = JSON.parse(json)
        await handle({ message, bytes }, reply)
        await send("end")
      } catch {
        await send("failed")
      }
      // The parent already has its reply, so nothing waits for the collection.
      if (process.memoryUsage.rss() > COLLECT_ABOVE) Bun.gc(true)
    }
  }
  process.exit(0)
}
