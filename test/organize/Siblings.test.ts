import { describe, expect, test } from "bun:test"
import { areSiblings } from "../../src/organize/Siblings.ts"

const siblings: ReadonlyArray<readonly [why: string, one: string, other: string]> = [
  ["a parameter's value", "example.com/a?id=1", "example.com/a?id=2"],
  ["a parameter that selects a part", "example.com/a?page=2", "example.com/a"],
  ["a route", "example.com/app#/a", "example.com/app#/b"],
  ["a route and none", "example.com/app#/a", "example.com/app"],
  ["a number in the path", "example.com/strip/1201", "example.com/strip/1202"],
  ["a number in a name", "example.com/ch01.html", "example.com/ch02.html"],
  ["a date", "example.com/2023/05/01/links", "example.com/2023/05/02/links"],
  ["a later page", "example.com/archive/page/2", "example.com/archive"],
  ["a version", "docs.example.com/3.2/queries", "docs.example.com/stable/queries"],
  ["a language", "example.com/en-US/grid", "example.com/de/grid"],
  ["a language in the host", "en.example.com/a/b", "de.example.com/a/b"],
  ["a version in the host", "v2.example.com/a", "v3.example.com/a"],
  ["the name of the page in its folder", "example.com/people/ana-lima", "example.com/people/joao-lima"]
]

const others: ReadonlyArray<readonly [why: string, one: string, other: string]> = [
  ["the host", "example.com/a", "example.org/a"],
  ["the folder", "example.com/blog/how-to-bake", "example.com/posts/how-to-bake"],
  ["the depth", "example.com/2023/05/how-to-bake", "example.com/how-to-bake"],
  ["a file's ending", "example.com/how-to-bake.html", "example.com/how-to-bake"],
  ["a number appended to the name", "example.com/how-to-bake-bread-2", "example.com/how-to-bake-bread"],
  ["a parameter without a meaning", "example.com/a?utm_new=mail", "example.com/a"],
  ["a number without a meaning", "example.com/a?b=2&x=1", "example.com/a?b=2"],
  ["nothing", "example.com/a?b=1#/c", "example.com/a?b=1#/c"]
]

describe("areSiblings is true of addresses that differ by", () => {
  test.each(siblings)("%s", (_, one, other) => {
    expect(areSiblings(one, other)).toBe(true)
    expect(areSiblings(other, one)).toBe(true)
  })
})

test("areSiblings takes a page of the same text under another name for the same", () => {
  expect(areSiblings("example.com/2024/harvest", "example.com/2024/the-harvest-ended", true)).toBe(false)
  expect(areSiblings("example.com/strip/1201", "example.com/strip/1202", true)).toBe(true)
})

describe("areSiblings is false of addresses that differ by", () => {
  test.each(others)("%s", (_, one, other) => {
    expect(areSiblings(one, other)).toBe(false)
    expect(areSiblings(other, one)).toBe(false)
  })
})
