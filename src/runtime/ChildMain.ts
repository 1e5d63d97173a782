import { writeFileSync } from "node:fs"

/**
 * The messages between a service and its child processes, written to a pipe one after another.
 *
 * A frame is a kind (one byte), the length of its JSON and of its bytes (four bytes each, big-endian), then both. A frame
 * announces its lengths first, so the reader rejects a large one before it holds it. Nothing here needs Effect: a child
 * that loads little starts quickly and stays small.
 */
export interface Frame {
  readonly kind: FrameKind
  /** A JSON text; empty where the frame carries none. */
  readonly json: string
  readonly bytes: Uint8Array
}

/** `message`: a request or a reply. `end`: the child is ready for the next request. `failed`: the handler threw. */
type FrameKind = "message" | "end" | "failed"

const kinds: ReadonlyArray<FrameKind> = ["message", "end", "failed"]
const HEADER = 9
const NO_BYTES = new Uint8Array()

/** Returns the pieces of a frame in order; `bytes` is not copied. */
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

/** A stream of bytes that is no sequence of frames, or announces a frame beyond the limit. */
type BadFrame = "bad-frame"

/** Reads frames from chunks of any size, each byte copied at most twice. */
export const makeFrameReader = (limit: number) => {
  let chunks: Array<Uint8Array> = []
  let held = 0
  /** How many bytes the next step needs. */
  let needed = HEADER

  const frameIn = (buffer: Buffer): Frame | BadFrame | undefined => {
    const kind = kinds[buffer.readUInt8(0)]
    const json = buffer.readUInt32BE(1)
    const bytes = buffer.readUInt32BE(5)
    if (kind === undefined || json + bytes > limit) return "bad-frame"
    needed = HEADER + json + bytes
    if (buffer.length < needed) return undefined
    const end = HEADER + json
    return { kind, json: buffer.toString("utf8", HEADER, end), bytes: buffer.subarray(end, needed) }
  }

  return {
    /** Whether a frame has begun and not ended. */
    isWithin: () => held > 0,
    /** Takes a chunk and returns the frames that it completes. */
    push: (chunk: Uint8Array): ReadonlyArray<Frame> | BadFrame => {
      chunks.push(chunk)
      held += chunk.length
      const frames: Array<Frame> = []
      while (held >= needed) {
        let buffer = Buffer.concat(chunks)
        while (buffer.length >= HEADER) {
          const frame = frameIn(buffer)
          if (frame === "bad-frame") return frame
          if (frame === undefined) break
          frames.push(frame)
          buffer = buffer.subarray(needed)
          needed = HEADER
        }
        chunks = buffer.length === 0 ? [] : [buffer]
        held = buffer.length
      }
      return frames
    }
  }
}

/** A request as its handler sees it: the parent's JSON, parsed, and the bytes beside it. */
export interface ChildRequest {
  readonly message: unknown
  readonly bytes: Uint8Array
}

/** Sends one reply; it has left the process once the promise resolves, whatever the handler does next. */
export type SendReply = (message: unknown, bytes?: Uint8Array) => Promise<void>

/** A child that holds more than this after a request, in bytes, collects its garbage before the next. */
const TIDY_ABOVE = 80_000_000
/** The largest request, in bytes. */
const MAX_REQUEST = 64 * 1024 * 1024

/**
 * A child that runs one long computation sees neither a closed pipe nor a timer, so a thread of its own ends it once its
 * parent is gone.
 */
const dieWith = (parent: number) => {
  const source = `setInterval(() => {
    if (process.ppid !== ${parent}) process.kill(process.pid, "SIGKILL")
  }, 250)`
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }))
  return new Worker(address)
}

/** Where memory runs out, the kernel kills the child before the service (proc(5), oom_score_adj); Linux alone has this. */
const volunteer = () => {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000")
  } catch {
    // Another system, or one that forbids it: the parent's memory bound still holds.
  }
}

/** Standard output belongs to the frames: a library that logs would break them. */
const silence = () => {
  for (const method of ["debug", "error", "info", "log", "trace", "warn"] as const) console[method] = () => {}
}

/**
 * Answers the parent's requests one at a time until the parent closes the pipe or is gone. `parent` is the parent's
 * process id. A request whose handler throws ends with a failure, and the next one is served.
 */
export const serveParent = async (
  parent: number,
  handle: (request: ChildRequest, reply: SendReply) => Promise<void>
): Promise<void> => {
  silence()
  volunteer()
  dieWith(parent)
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
      // The parent has its answer: nothing waits for this.
      if (process.memoryUsage.rss() > TIDY_ABOVE) Bun.gc(true)
    }
  }
  process.exit(0)
}
