import { readFileSync } from "node:fs"
import { makeEncoder } from "../../../src/enrich/embedding/encoder/Encoder.ts"
import { WIDTH } from "../../../src/enrich/embedding/encoder/ModelFile.ts"
import { piecesOf } from "../../../src/enrich/embedding/encoder/Pieces.ts"
import { fileOfChoice, readTeacher, withPieces } from "./Teacher.ts"
import { readPairs } from "./Text.ts"

/**
 * Chooses the pieces of the encoder that texts in 15 languages and English use, and measures the centres of links and of searches. The same
 * files always give the same bytes.
 *
 * `bun test/bench/training/encoderPieces.ts <e5-small-q4.bin> <text folder>`
 */

/** One text in four is counted; a piece with this many uses is kept. */
const STEP = 4
const LEAST_USES = 1
const SPECIAL = 4
/** A centre is the mean of this many texts: links; titles, and short texts of other languages, as searches. */
const CENTRE_TEXTS = 400
const SHORT = 60

const say = (what: string): void =>
  console.log(`${(performance.now() / 1000).toFixed(0).padStart(4)} s  ${what}`)

const [teacher, folder] = process.argv.slice(2)
if (teacher === undefined || folder === undefined)
  throw new Error("Usage: bun encoderPieces.ts <e5-small-q4.bin> <text folder>")

const unpacked = (name: string): string => {
  const { exitCode, stdout } = Bun.spawnSync(["xz", "--decompress", "--stdout", `${folder}/${name}`])
  if (exitCode !== 0) throw new Error(`xz could not unpack ${name}`)
  return new TextDecoder().decode(stdout)
}

const whole = readTeacher(readFileSync(teacher))
say(`${whole.pieces.length} pieces`)
const uses = new Uint32Array(whole.pieces.length)
const divide = piecesOf(whole)
const count = (texts: ReadonlyArray<string>) => {
  for (let at = 0; at < texts.length; at += STEP)
    for (const piece of divide(texts[at] ?? "")) uses[piece] = (uses[piece] ?? 0) + 1
}
const pairs = await readPairs(folder, () => false)
count(pairs.map(({ heading, text }) => `${heading} ${text}`))
say(`counted ${pairs.length} pairs`)
const translations = unpacked("parallel.tsv.xz")
  .split("\n")
  .map((line) => {
    const [, , foreign = "", own = ""] = line.split("\t")
    return { foreign, own }
  })
count(translations.map(({ foreign, own }) => `${foreign} ${own}`))
say("counted the translations")
const kept = whole.pieces.flatMap((_, piece) =>
  piece < SPECIAL || (uses[piece] ?? 0) >= LEAST_USES ? [piece] : []
)
for (const least of [1, 2, 3, 4, 8])
  say(`${uses.filter((times) => times >= least).length} pieces with ${least} uses or more`)

const encoder = makeEncoder(withPieces(whole, kept))
const meanOf = (texts: ReadonlyArray<string>, of: "links" | "searches") => {
  const centre = new Float32Array(WIDTH)
  for (const text of texts)
    encoder.embed(text, of).forEach((value, i) => {
      centre[i] = (centre[i] ?? 0) + value / texts.length
    })
  return centre
}
const spread = (texts: ReadonlyArray<string>, count: number) =>
  Array.from({ length: count }, (_, at) => texts[Math.floor((at * texts.length) / count)] ?? "")
const entries = pairs.filter(({ isEntry }) => isEntry)
const links = entries.map(({ heading, text }) => `${heading}\n${text}`)
const short = translations.flatMap(({ foreign }) => (foreign.length < SHORT ? [foreign] : []))
const titles = entries.map(({ heading }) => heading)
const centres = new Float32Array(2 * WIDTH)
centres.set(meanOf(spread(links, CENTRE_TEXTS), "links"))
centres.set(
  meanOf([...spread(titles, CENTRE_TEXTS / 2), ...spread(short, CENTRE_TEXTS / 2)], "searches"),
  WIDTH
)
const out = `${import.meta.dir}/encoderPieces.bin`
await Bun.write(out, fileOfChoice({ kept, centres }, whole.pieces.length))
say(`${kept.length} pieces are kept`)
