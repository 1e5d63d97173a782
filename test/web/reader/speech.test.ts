import { describe, expect, test } from "bun:test"
import { MAX_UTTERANCE, utterancesOf, type VoiceLike, voicesFor } from "../../../web/app/reader/speech.ts"

const said = (text: string, language = "en") =>
  utterancesOf(text, language).map(({ end, start }) => text.slice(start, end))

describe("utterances", () => {
  test("are whole sentences, several short ones together", () => {
    const short = "One. Two! Three?"
    expect(said(`  ${short}\n`)).toEqual([short])
    const long = `${"A sentence of some length, which goes on. ".repeat(12)}`
    const all = said(long)
    expect(all.length).toBeGreaterThan(2)
    for (const one of all) {
      expect(one.length).toBeLessThanOrEqual(MAX_UTTERANCE)
      expect(one).toEndWith("goes on.")
    }
    expect(all.join(" ")).toBe(long.trim())
  })

  test("divide a long sentence at a comma, or else at a space, and never a character", () => {
    const sentence = `${"many words without a stop ".repeat(12)}, ${"and then more of them ".repeat(6)}`
    for (const text of [sentence, "x".repeat(1_000), "🦜".repeat(400), "日本語の文章、".repeat(80)]) {
      const all = said(text)
      for (const one of all) {
        expect(one.length).toBeLessThanOrEqual(MAX_UTTERANCE)
        expect(one.isWellFormed()).toBe(true)
      }
      expect(all.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""))
    }
  })

  test("of nothing are none, and an invalid language is any", () => {
    expect(said(" \n ")).toEqual([])
    expect(said("Hello. World.", "not a language")).toEqual(["Hello. World."])
  })
})

describe("the voices of a language", () => {
  const voice = (name: string, lang: string, localService = true): VoiceLike => ({
    name,
    lang,
    localService,
    default: false,
    voiceURI: name
  })
  const all = [voice("a", "en-US", false), voice("b", "en_GB"), voice("c", "de-DE"), voice("d", "en-US")]
  const names = (language: string) => voicesFor(all, language).map(({ name }) => name)

  test("are those of the region first, and the system's own before those of a service", () => {
    expect(names("en-US")).toEqual(["d", "a", "b"])
    expect(names("en-GB")).toEqual(["b", "d", "a"])
    expect(names("de")).toEqual(["c"])
  })

  test("are all of them where none speaks it", () => {
    expect(names("fr").toSorted()).toEqual(["a", "b", "c", "d"])
  })
})
