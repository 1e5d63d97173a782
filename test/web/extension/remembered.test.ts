import { expect, test } from "bun:test"
import {
  completionsOf,
  MAX_REMEMBERED,
  readRemembered,
  remembering,
  splitTags
} from "../../../web/extension/remembered.ts"

test("tags are separated by commas of any script, or begin with a hash sign", () => {
  expect(splitTags("rust, machine learning,,c#")).toEqual(["rust", "machine learning", "c#"])
  expect(splitTags("#rust #web")).toEqual(["rust", "web"])
  expect(splitTags("音楽、漫画，旅")).toEqual(["音楽", "漫画", "旅"])
  expect(splitTags(" , ")).toEqual([])
})

test("known tags complete the last one that is written, and none is offered twice", () => {
  const known = ["web", "rust", "wasm"]
  expect(completionsOf("w", known)).toEqual(known)
  expect(completionsOf("rust, w", known)).toEqual(["rust, web", "rust, wasm"])
})

test("what was written last comes first, and the oldest is forgotten", () => {
  const first = remembering(readRemembered(undefined), ["a", "b"], "Reading")
  expect(remembering(first, ["b"], "")).toEqual({ tags: ["b", "a"], collections: ["Reading"] })
  const many = Array.from({ length: MAX_REMEMBERED + 5 }, (_, index) => `tag-${index}`)
  const full = remembering(first, many, "Work")
  expect([full.tags.length, full.tags[0], full.collections]).toEqual([
    MAX_REMEMBERED,
    "tag-0",
    ["Work", "Reading"]
  ])
})

test("broken storage is read as nothing", () => {
  expect(readRemembered({ tags: "a", collections: [1, "b"] })).toEqual({ tags: [], collections: ["b"] })
  expect(readRemembered(null)).toEqual({ tags: [], collections: [] })
})
