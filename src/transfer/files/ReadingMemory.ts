import { freemem, platform, totalmem } from "node:os"
import { Context, Effect } from "effect"
import { FormatError } from "../Format.ts"

/** Memory that reading a text takes at most for each of its bytes: the text, what is parsed from it, and its links. */
const PER_BYTE = 10
/** Memory in bytes that a link takes at most while it is read, above its text. */
const PER_ADDRESS = 4_096
/** Memory in bytes that is left to the service. */
const RESERVE = 128 * 1024 * 1024

/** Memory that the system can hand out. Elsewhere than on Linux, what holds cached files is not counted as free. */
const ofSystem = () => (platform() === "linux" ? freemem() : totalmem() / 2)

const free = Effect.sync(
  () => Math.min(ofSystem(), process.constrainedMemory() - process.memoryUsage.rss()) - RESERVE
)

/** How many bytes of memory the reading of a file may take: what the machine, or the container, has free. */
export class ReadingMemory extends Context.Reference<ReadingMemory>()("ReadingMemory", {
  defaultValue: (): Effect.Effect<number> => free
}) {}

const scheme = Buffer.from("://")

/** Returns the number of addresses in a file, at most. */
const countAddresses = (bytes: Uint8Array): number => {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let count = 0
  for (let at = all.indexOf(scheme); at !== -1; at = all.indexOf(scheme, at + scheme.length)) count++
  return count
}

/** Returns how many bytes of memory the reading of this file takes, at most; about twice what most files take. */
export const memoryToRead = (bytes: Uint8Array): number =>
  bytes.length * PER_BYTE + countAddresses(bytes) * PER_ADDRESS

/**
 * Fails, with a sentence for people, if reading takes more memory than there is: the system would end the whole service.
 */
export const requireMemory = Effect.fn("requireMemory")(function* (needed: number) {
  const available = yield* Effect.flatten(ReadingMemory)
  if (needed > available)
    return yield* new FormatError({
      message:
        "The file is too large for the free memory of the machine that Linkbower runs on. Import it in several parts."
    })
})
