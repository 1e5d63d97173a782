import { effect, signal } from "@preact/signals"
import { stored } from "../state/preferences.ts"
import { tell } from "../state/toasts.ts"
import { type ReaderFrame, scroll } from "./frame.ts"
import { utterancesOf, voicesFor } from "./speech.ts"
import { indexText, type Span } from "./textIndex.ts"

/** Whether the article is read aloud; off also hides the controls. */
export const listening = signal<"off" | "playing" | "paused">("off")

/** The voices of the browser; without any, nothing can be read aloud. */
export const voices = signal<ReadonlyArray<SpeechSynthesisVoice>>([])

/** How fast to speak: 1 is usual. */
export const rates = ["0.75", "1", "1.25", "1.5", "1.75", "2"] as const
export const rate = stored("listenRate", rates, "1")

/** The voice that was chosen, by its address; empty for the best one of the article's language. */
export const chosenVoice = signal("")

/** The name of the painted range of the spoken paragraph; the document's styles have its colour. */
const PAINTED = "spoken"
/** How long after the owner has scrolled the spoken paragraph is not scrolled to, in milliseconds. */
const PATIENCE = 6_000

/** Elements that are said as one paragraph. Code is left out: nobody can follow it by ear. */
const PARAGRAPHS = "p, h1, h2, h3, h4, h5, h6, li, dt, dd, blockquote, figcaption, caption, td, th"

interface Paragraph extends Span {
  readonly text: string
}

/** The paragraphs of an article, in order: what is in one of its paragraphs is in no other. */
const paragraphsOf = (article: HTMLElement): ReadonlyArray<Paragraph> => {
  const { text } = indexText(article)
  const found: Array<Paragraph> = []
  let offset = 0
  let open: { readonly holder: Element | null; readonly start: number } | undefined
  const close = () => {
    if (open === undefined || open.holder === null) return
    const said = text.slice(open.start, offset)
    if (/[\p{L}\p{N}]/u.test(said)) found.push({ start: open.start, end: offset, text: said })
  }
  const walker = article.ownerDocument.createTreeWalker(article, 4 /* NodeFilter.SHOW_TEXT */)
  while (walker.nextNode() !== null) {
    const { currentNode } = walker
    const parent = currentNode.parentElement
    const holder = parent?.closest("pre") != null ? null : (parent?.closest(PARAGRAPHS) ?? parent)
    if (open === undefined || holder !== open.holder) {
      close()
      open = { holder, start: offset }
    }
    offset += currentNode.nodeValue?.length ?? 0
  }
  close()
  return found
}

/** The voices to choose from for the shown article. */
export const voicesOf = ({ article, document }: ReaderFrame): ReadonlyArray<SpeechSynthesisVoice> =>
  voicesFor(voices.value, article.lang || document.documentElement.lang || navigator.language)

/** What reads the shown article aloud; undefined while no document is shown. */
interface Speaker {
  readonly play: () => void
  readonly pause: () => void
  /** Goes on with another paragraph. */
  readonly step: (by: number) => void
  /** Says the current utterance again, as after another choice of voice. */
  readonly repeat: () => void
}

let speaker: Speaker | undefined

const makeSpeaker = (
  frame: ReaderFrame,
  synthesis: SpeechSynthesis
): Speaker & { readonly end: () => void } => {
  const { article, document, window } = frame
  const index = indexText(article)
  const paragraphs = paragraphsOf(article)
  const language = article.lang || document.documentElement.lang
  let [at, part] = [0, 0]
  let isBegun = false
  let scrolledAt = 0
  let spokenTop = -1
  /** Counts what is said, because a browser also reports the end of what was cancelled. */
  let turn = 0

  const paint = (paragraph: Paragraph | undefined) => {
    const { highlights } = window.CSS
    highlights?.delete(PAINTED)
    const range = paragraph === undefined ? undefined : index.rangeOf(paragraph)
    if (range === undefined) return
    highlights?.set(PAINTED, new window.Highlight(range))
    const { bottom, top } = range.getBoundingClientRect()
    const { visible } = scroll.peek()
    if ((top >= 0 && bottom <= visible) || performance.now() - scrolledAt < PATIENCE) return
    window.scrollBy({ top: top - visible / 4, behavior: "instant" })
    spokenTop = window.scrollY
  }

  const silence = () => {
    turn++
    synthesis.cancel()
  }

  const finish = () => {
    listening.value = "off"
    at = 0
    part = 0
    isBegun = false
    paint(undefined)
  }

  /** Finds what is said next: the utterance reached, or else the first of a later paragraph. */
  const reached = () => {
    for (; at < paragraphs.length; at++, part = 0) {
      const paragraph = paragraphs[at]
      const span = paragraph === undefined ? undefined : utterancesOf(paragraph.text, language)[part]
      if (paragraph !== undefined && span !== undefined) return { paragraph, span }
    }
    return undefined
  }

  const say = (): void => {
    silence()
    const next = reached()
    if (next === undefined) {
      finish()
      return
    }
    const { paragraph, span } = next
    paint(paragraph)
    const mine = turn
    const utterance = new SpeechSynthesisUtterance(paragraph.text.slice(span.start, span.end))
    const all = voicesOf(frame)
    const voice = all.find(({ voiceURI }) => voiceURI === chosenVoice.peek()) ?? all[0]
    if (voice !== undefined) utterance.voice = voice
    utterance.lang = voice?.lang ?? language
    utterance.rate = Number(rate.peek())
    utterance.onend = () => {
      if (mine !== turn) return
      part++
      say()
    }
    utterance.onerror = ({ error }) => {
      if (mine !== turn) return
      tell(
        error === "not-allowed"
          ? "The browser does not let this page speak. Press Play again."
          : "This voice has failed. Choose another one.",
        { kind: "failed" }
      )
      listening.value = "paused"
    }
    synthesis.speak(utterance)
  }

  const start = () => {
    // Reading begins where the owner is.
    const offset = index.offsetBelow(0)
    if (!isBegun)
      at = Math.max(
        0,
        paragraphs.findIndex(({ end }) => end > offset)
      )
    isBegun = true
    listening.value = "playing"
    say()
  }

  const follow = effect(() => {
    const { top } = scroll.value
    if (Math.abs(top - spokenTop) > 1) scrolledAt = performance.now()
  })
  scrolledAt = 0

  return {
    play: start,
    pause: () => {
      silence()
      listening.value = "paused"
    },
    step: (by) => {
      at = Math.min(Math.max(at + by, 0), paragraphs.length - 1)
      part = 0
      scrolledAt = 0
      if (listening.peek() === "playing") say()
      else paint(paragraphs[at])
    },
    repeat: () => {
      if (listening.peek() === "playing") say()
    },
    end: () => {
      follow()
      silence()
      window.CSS.highlights?.delete(PAINTED)
      listening.value = "off"
    }
  }
}

/** Lets the shown document be read aloud, until the returned function is called. */
export const attachListening = (frame: ReaderFrame): (() => void) => {
  if (!("speechSynthesis" in globalThis)) return () => {}
  const { speechSynthesis } = globalThis
  const readVoices = () => {
    voices.value = speechSynthesis.getVoices()
  }
  readVoices()
  speechSynthesis.addEventListener("voiceschanged", readVoices)
  const made = makeSpeaker(frame, speechSynthesis)
  speaker = made
  // The browser would go on with a page that is left.
  const stop = () => speechSynthesis.cancel()
  globalThis.addEventListener("pagehide", stop)
  return () => {
    speechSynthesis.removeEventListener("voiceschanged", readVoices)
    globalThis.removeEventListener("pagehide", stop)
    made.end()
    if (speaker === made) speaker = undefined
  }
}

/** Reads the article aloud, or pauses; returns false if there is no voice. */
export const toggleListening = (): boolean => {
  if (speaker === undefined || voices.peek().length === 0) return false
  if (listening.peek() === "playing") speaker.pause()
  else speaker.play()
  return true
}

/** Goes on with the paragraph this many further. */
export const stepParagraph = (by: number): void => speaker?.step(by)

export const stopListening = (): void => {
  speaker?.pause()
  listening.value = "off"
}

/** Speaks with another voice or at another rate from the current sentence on. */
export const changeVoice = (voiceURI: string): void => {
  chosenVoice.value = voiceURI
  speaker?.repeat()
}
export const changeRate = (to: (typeof rates)[number]): void => {
  rate.value = to
  speaker?.repeat()
}
