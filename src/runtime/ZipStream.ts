import { Chunk, Stream } from "effect"
import { Zip, ZipDeflate } from "fflate"

/** Bytes compressed in one go, few enough that other work does not wait. */
const PIECE = 65_536

const piecesOf = (bytes: Uint8Array) =>
  Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, n) =>
    bytes.subarray(n * PIECE, (n + 1) * PIECE)
  )

/** Compresses bytes as they come into a zip with one file of this name, which has characters of ASCII only. */
export const zipped =
  (name: string) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> =>
    Stream.suspend(() => {
      let ready: Array<Uint8Array> = []
      const take = () => {
        const taken = Chunk.unsafeFromArray(ready)
        ready = []
        return taken
      }
      const file = new ZipDeflate(name)
      const zip = new Zip((_, piece) => void ready.push(piece))
      zip.add(file)
      const compressed = bytes.pipe(
        Stream.mapConcat(piecesOf),
        Stream.rechunk(1),
        Stream.mapChunks((pieces) => {
          for (const piece of pieces) file.push(piece)
          return take()
        })
      )
      const end = Stream.suspend(() => {
        file.push(new Uint8Array(), true)
        zip.end()
        return Stream.fromChunk(take())
      })
      return Stream.concat(compressed, end)
    })
