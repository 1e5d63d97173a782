import { describe, expect, test } from "bun:test"
import type { Term } from "../../src/domain/LinkQuery.ts"
import { signedName } from "../../src/search/SignedNames.ts"

const of = (text: string, kind: Term["kind"] = "word", negated = false) => signedName({ text, kind, negated })

describe("signedName", () => {
  for (const [text, word] of [
    ["c++", "cpp"],
    ["C#", "csharp"],
    [".net", "dotnet"],
    ["f#", "fsharp"],
    ["notepad++", "notepadpp"]
  ] as const)
    test(`gives ${text} by its signs and as ${word}`, () =>
      expect(of(text)).toEqual({ literal: text.toLowerCase(), words: [word], differs: true }))

  test("gives a name whose letters are found anyway its tag only", () => {
    expect(of("node.js")).toEqual({ literal: undefined, words: ["nodejs"], differs: false })
    expect(of("c++20")).toEqual({ literal: undefined, words: ["cpp20"], differs: false })
  })

  test("completes a name only while it is being typed", () => {
    expect(of("c", "prefix")).toEqual({ literal: undefined, words: ["cpp", "csharp"], differs: false })
    expect(of("c+", "prefix")).toEqual({ literal: "c+", words: ["cpp"], differs: true })
    expect(of(".n", "prefix")).toEqual({ literal: ".n", words: ["dotnet"], differs: true })
    for (const text of ["c", "c+", ".n"]) expect(of(text)).toBeUndefined()
  })

  test("leaves other words alone", () => {
    for (const text of ["a", "rust", "e-mail", "v1.2", "…", "."]) expect(of(text, "prefix")).toBeUndefined()
    expect(of("c++", "word", true)).toBeUndefined()
    expect(of("c++ primer", "phrase")).toBeUndefined()
    expect(of("c++", "part")).toBeUndefined()
  })
})
