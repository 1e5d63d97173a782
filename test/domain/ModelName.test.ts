import { describe, expect, test } from "bun:test"
import { isSameModel } from "../../src/domain/ModelName.ts"

describe("isSameModel", () => {
  for (const [asked, answered] of [
    ["llama3.2", "llama3.2:latest"],
    ["gpt-5-mini", "gpt-5-mini-2026-01-15"],
    ["claude-haiku-5-5", "claude-haiku-5-5-20260101"],
    ["gemini-2.5-flash", "models/gemini-2.5-flash"],
    ["Qwen/Qwen3-8B", "qwen/qwen3-8b"]
  ] as const)
    test(`recognizes ${asked} in ${answered}`, () => expect(isSameModel(asked, answered)).toBe(true))

  for (const [one, other] of [
    ["gpt-5", "gpt-5-mini"],
    ["llama3.2", "llama3.2:1b"],
    ["llama3", "llama3.2"],
    ["a-2024", "a-2025"]
  ] as const)
    test(`distinguishes ${one} from ${other}`, () => expect(isSameModel(one, other)).toBe(false))
})
