import { Either } from "effect"
import { FormatError } from "../Format.ts"

/** The start of a file that Firefox has compressed, before four bytes of its unpacked size and one LZ4 block. */
const MOZILLA = Buffer.from("mozLz40\0", "latin1")

const HEADER = MOZILLA.length + 4

/** An LZ4 block shrinks to a 255th at best, so a size above that is a lie. */
const MAX_RATIO = 255

/** A match's length is stored without it. */
const MIN_MATCH = 4

const broken = new FormatError({ message: "The compressed file is damaged or cut off." })

export const isMozillaLz4 = (bytes: Uint8Array): boolean => MOZILLA.equals(bytes.subarray(0, MOZILLA.length))

/** Undefined unless it gives `size` bytes (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md). */
const unpackBlock = (block: Uint8Array, size: number): Uint8Array | undefined => {
  const out = new Uint8Array(size)
  let from = 0
  let to = 0
  const lengthOf = (nibble: number): number => {
    let length = nibble
    if (nibble === 15)
      for (let more = 255; more === 255; length += more) {
        if (from >= block.length) return Number.POSITIVE_INFINITY
        more = block[from++] ?? 0
      }
    return length
  }
  while (from < block.length) {
    const token = block[from++] ?? 0
    const literals = lengthOf(token >> 4)
    if (from + literals > block.length || to + literals > size) return undefined
    out.set(block.subarray(from, from + literals), to)
    from += literals
    to += literals
    // The last sequence has only literals.
    if (from === block.length) return to === size ? out : undefined
    const back = (block[from] ?? 0) | ((block[from + 1] ?? 0) << 8)
    from += 2
    if (from > block.length || back === 0 || back > to) return undefined
    const length = lengthOf(token & 15) + MIN_MATCH
    if (to + length > size) return undefined
    // A match may overlap what it writes: then its bytes repeat.
    for (let done = 0; done < length; ) {
      const some = Math.min(length - done, back + done)
      out.copyWithin(to + done, to - back, to - back + some)
      done += some
    }
    to += length
  }
  return undefined
}

export const unpackMozillaLz4 = (
  bytes: Uint8Array,
  limit: number
): Either.Either<Uint8Array, FormatError> => {
  if (bytes.length <= HEADER) return Either.left(broken)
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(MOZILLA.length, true)
  if (size > limit)
    return Either.left(new FormatError({ message: "Unpacked, the file is too large to import." }))
  const block = bytes.subarray(HEADER)
  return Either.fromNullable(
    size > block.length * MAX_RATIO ? undefined : unpackBlock(block, size),
    () => broken
  )
}
