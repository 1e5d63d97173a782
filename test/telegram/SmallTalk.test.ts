import { expect, test } from "bun:test"
import { Option } from "effect"
import { courtesy, requestIn } from "../../src/telegram/SmallTalk.ts"
import { readMessage } from "../support/messages.ts"

const answerTo = (message: string) =>
  Option.getOrUndefined(Option.map(courtesy(message), ({ html }) => readMessage(html)))

test("greetings and thanks are answered in several languages, whatever their signs and case", () => {
  for (const message of ["Hi", "hello there!", "HALLO 👋", "Buenos dias", "Здравствуйте", "おはよう", "नमस्ते"])
    expect(answerTo(message)).toStartWith("Hello!")
  for (const message of [
    "Thanks :)",
    "thank you",
    "Danke schön!",
    "merci",
    "спасибо",
    "ありがとう",
    "शुक्रिया धन्यवाद".slice(9)
  ])
    expect(answerTo(message)).toStartWith("You’re welcome!")
})

test("words that only contain a greeting are searched", () => {
  for (const message of ["hello world", "thanks giving recipes", "hi fi speakers", "", "👋", "hey jude"])
    expect(answerTo(message)).toBeUndefined()
})

test("a request about the latest link names the button that does it", () => {
  for (const [message, button] of [
    ["delete the last one", "🗑 Delete"],
    ["Please remove it.", "🗑 Delete"],
    ["summarize this", "🔄 Refresh to have its summary written again"],
    ["can you share that link", "🌐 Share"],
    ["open the latest", "📖 Read here"],
    ["TL;DR", undefined],
    ["delete", undefined],
    ["how to delete the last commit", undefined],
    ["the last of us", undefined],
    ["move fast and delete this", undefined],
    ["", undefined]
  ] as const)
    expect(Option.getOrUndefined(requestIn(message))?.button).toBe(button as string)
})
