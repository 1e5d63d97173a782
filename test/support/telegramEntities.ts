/** What Telegram marks in a message. */
export interface MarkedEntity {
  readonly type: string
  readonly offset: number
  readonly length: number
  readonly url?: string
}

/**
 * Domain endings that Telegram accepts without a scheme: some of the real ones, among them those that are also endings of
 * files, and the reserved ones that tests use.
 */
const endings = (
  "com org net edu gov info biz dev app io ai co me de es ru fr it uk nl pl ch at se jp cn br in us eu tv blog site online " +
  "xyz tech cloud page news wiki md py sh rs zip mov ps cc gg so to is la ly im cz ua kz рф 中国 example test"
).split(" ")

const name = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?"
const domain = `(?:${name}\\.)+(?:${endings.join("|")}|xn--[a-z0-9-]+)`
const ipAddress = "(?:\\d{1,3}\\.){3}\\d{1,3}"
const tail = '(?::\\d{1,5})?(?:[/?#][^\\s<>"«»]*[^\\s<>"«».,;:!?)\'\\]])?'

const rules: ReadonlyArray<readonly [type: string, rule: RegExp]> = [
  ["bot_command", /(?<![\p{L}\p{N}_/<>])\/[a-z0-9_]{1,64}(?:@\w{3,32})?(?![\w/])/giu],
  ["url", /\b(?:https?|ftp|tg|ton):\/\/[^\s<>"«»]*[^\s<>"«».,;:!?)'\]]/giu],
  ["email", /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu],
  [
    "url",
    new RegExp(
      `(?<![\\p{L}\\p{N}_@./])(?:${domain}|${ipAddress})(?![\\p{L}\\p{N}_-])(?!\\.[\\p{L}\\p{N}])${tail}`,
      "giu"
    )
  ],
  ["hashtag", /(?<![\p{L}\p{N}_])#[\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*/gu],
  ["cashtag", /(?<![\p{L}\p{N}_])\$[A-Z]{1,8}(?![\p{L}\p{N}_])/gu],
  ["mention", /(?<![\p{L}\p{N}_])@\w{3,32}/gu]
]

/** Marks a text as Telegram's servers do; what an earlier rule has marked, a later one leaves alone. */
export const entitiesOf = (text: string): ReadonlyArray<MarkedEntity> => {
  const found: Array<MarkedEntity> = []
  for (const [type, rule] of rules)
    for (const { 0: part, index } of text.matchAll(rule)) {
      const end = index + part.length
      if (!found.some(({ length, offset }) => offset < end && index < offset + length))
        found.push({ type, offset: index, length: part.length })
    }
  return found.sort((a, b) => a.offset - b.offset)
}
