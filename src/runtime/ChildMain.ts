import { writeFileSync } from "node:fs"
import { encodeFrame, type FrameKind, makeFrameReader } from "./Frames.ts"

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
