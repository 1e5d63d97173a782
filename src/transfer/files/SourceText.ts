import { Either } from "effect"
import { FormatError, type SourceFile } from "../Format.ts"
import { isJsonLines } from "../formats/GenericJson.ts"
import { cleanText, decodeBytes, jsonErrorAt } from "./Decode.ts"
import { binaryKind, knownKind } from "./FileKind.ts"

/** Markdown may also start with a bracket, but not with an object or a quoted address in it. */
const beginsLikeJson = (text: string) => /^\s*(?:\{\s*["}]|\[\s*(?:[[{\]]|"https?:))/.test(text)

/** Replaces the escapes `\x08` of Telegram Desktop, which JSON does not allow. */
const withKnownEscapes = (text: string) =>
  text.replace(/\\(?:x([\da-fA-F]{2})|[\s\S])/g, (escape, code?: string) =>
    code === undefined ? escape : `\\u00${code}`
  )

const parsed = (text: string) => Either.try((): unknown => JSON.parse(text))

const parseJson = (text: string): Either.Either<unknown, FormatError> =>
  parsed(text).pipe(
    Either.orElse((error) => (text.includes("\\x") ? parsed(withKnownEscapes(text)) : Either.left(error))),
    Either.orElse((error) => (isJsonLines(text) ? Either.right(undefined) : Either.left(error))),
    Either.mapLeft(() => {
      const at = jsonErrorAt(text)
      const line = text.slice(0, at).split(/\r\n?|\n/).length
      return new FormatError({
        message:
          at === text.length
            ? `The file ends on line ${line} in the middle of its JSON.`
            : `The file begins as JSON, but line ${line} is not valid JSON.`
      })
    })
  )

/** As JSON too if it begins like it, unless `asJson` is false. Fails with a sentence if empty, binary or damaged. */
export const readSource = (
  name: string,
  bytes: Uint8Array,
  { asJson, companion }: { readonly asJson: boolean; readonly companion: SourceFile["companion"] }
): Either.Either<SourceFile, FormatError> => {
  const known = knownKind(bytes)
  if (known !== undefined) return Either.left(new FormatError({ message: known }))
  const raw = decodeBytes(bytes)
  const binary = binaryKind(raw)
  if (binary !== undefined) return Either.left(new FormatError({ message: binary }))
  const text = cleanText(raw)
  if (!/\S/.test(text)) return Either.left(new FormatError({ message: "The file is empty." }))
  const json = asJson && beginsLikeJson(text) ? parseJson(text) : Either.right(undefined)
  return Either.map(json, (parsed) => ({ name, text, json: parsed, companion }))
}
