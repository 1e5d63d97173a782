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
export type FrameKind = "message" | "end" | "failed"

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
export type BadFrame = "bad-frame"

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
