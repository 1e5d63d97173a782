import { freemem, platform, totalmem } from "node:os"
import { Context, Effect } from "effect"
import { FormatError } from "../Format.ts"

/** Bytes of memory for each byte of a text: the text, what is parsed from it, and its links. */
const PER_BYTE = 10
/** In bytes, for a link while it is read, above its text. */
const PER_ADDRESS = 4_096
const RESERVE = 128 * 1024 * 1024

/** Elsewhere than on Linux, memory for cached files does not count as free. */
const ofSystem = () => (platform() === "linux" ? freemem() : totalmem() / 2)

const free = Effect.sync(
  () => Math.min(ofSystem(), process.constrainedMemory() - process.memoryUsage.rss()) - RESERVE
)

/** In bytes: what the machine, or the container, has free. */
export class ReadingMemory extends Context.Reference<ReadingMemory>()("ReadingMemory", {
  defaultValue: (): Effect.Effect<number> => free
}) {}

const scheme = Buffer.from("://")

const countAddresses = (bytes: Uint8Array): number => {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let count = 0
  for (let at = all.indexOf(scheme); at !== -1; at = all.indexOf(scheme, at + scheme.length)) count++
  return count
}

/** In bytes, at most; about twice what most files take. */
export const memoryToRead = (bytes: Uint8Array): number =>
  bytes.length * PER_BYTE + countAddresses(bytes) * PER_ADDRESS

/** Fails with a sentence for people: the system would end the whole service. */
export const requireMemory = Effect.fn("requireMemory")(function* (needed: number) {
  const available = yield* Effect.flatten(ReadingMemory)
  if (needed > available)
    return yield* new FormatError({
      message:
        "The file is too large for the free memory of the machine that Linkbower runs on. Import it in several parts."
    })
})
