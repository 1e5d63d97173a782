import type { Span } from "./textIndex.ts"

/** Maximum length of an utterance, in UTF-16 units: Chromium's own voices stop after 15 seconds (https://crbug.com/679437). */
export const MAX_UTTERANCE = 200

const segmenters = new Map<string, Intl.Segmenter>()

/** The segmenter of a language's sentences; of any language if the tag is invalid. */
const sentencesIn = (language: string): Intl.Segmenter => {
  const known = segmenters.get(language)
  if (known !== undefined) return known
  const valid = (() => {
    try {
      return Intl.getCanonicalLocales(language)
    } catch {
      return []
    }
  })()
  const made = new Intl.Segmenter(valid, { granularity: "sentence" })
  segmenters.set(language, made)
  return made
}

/** Where to divide a sentence that is too long: after the last of these signs, or else after the last space. */
const PAUSES = [/[,;:–—、，；：)\]][^,;:–—、，；：)\]]*$/u, /\s\S*$/u]

/** The length of the first piece of a sentence that is too long. */
const cutOf = (sentence: string): number => {
  const head = sentence.slice(0, MAX_UTTERANCE)
  for (const pause of PAUSES) {
    const at = head.search(pause)
    if (at >= MAX_UTTERANCE / 3) return at + 1
  }
  const last = head.charCodeAt(MAX_UTTERANCE - 1)
  // Not between the halves of a character.
  return last >= 0xd800 && last <= 0xdbff ? MAX_UTTERANCE - 1 : MAX_UTTERANCE
}

/**
 * Divides a paragraph into utterances of at most `MAX_UTTERANCE` units: at the ends of sentences, several short ones in
 * one. Together they are the paragraph without the white space around them.
 */
export const utterancesOf = (text: string, language: string): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  let start = 0
  let end = 0
  const finish = () => {
    const said = text.slice(start, end)
    const from = start + (said.length - said.trimStart().length)
    const to = start + said.trimEnd().length
    if (to > from) spans.push({ start: from, end: to })
    start = end
  }
  for (const { index, segment } of sentencesIn(language).segment(text)) {
    if (index + segment.trimEnd().length - start > MAX_UTTERANCE) finish()
    end = index + segment.length
    while (end - start > MAX_UTTERANCE && text.slice(start, end).trimEnd().length > MAX_UTTERANCE) {
      const whole = end
      end = start + cutOf(text.slice(start, whole))
      finish()
      end = whole
    }
  }
  finish()
  return spans
}

/** A voice, as far as a choice among voices needs it. */
export type VoiceLike = Pick<SpeechSynthesisVoice, "default" | "lang" | "localService" | "name" | "voiceURI">

const primary = (tag: string) => tag.toLowerCase().split(/[-_]/)[0] ?? ""

/**
 * The voices for a text in this language, the best first: of the same region, then the system's own ones, which send the
 * text nowhere. All voices if none speaks it.
 */
export const voicesFor = <V extends VoiceLike>(
  voices: ReadonlyArray<V>,
  language: string
): ReadonlyArray<V> => {
  const wanted = language.toLowerCase().replace("_", "-")
  const speaking = voices.filter(({ lang }) => primary(lang) === primary(wanted))
  const rank = ({ default: isDefault, lang, localService }: V) =>
    (lang.toLowerCase().replace("_", "-") === wanted ? 0 : 4) + (localService ? 0 : 2) + (isDefault ? 0 : 1)
  return (speaking.length === 0 ? [...voices] : speaking).sort((a, b) => rank(a) - rank(b))
}
