import { describe, expect, test } from "bun:test"
import { snapTags, spellingVariants } from "../../src/domain/TagVocabulary.ts"
import { rowsOf } from "../support/rows.ts"

const inUse = (counts: Record<string, number>) =>
  Object.entries(counts).map(([name, count]) => ({ name, count }))

describe("snapTags", () => {
  const same = rowsOf<readonly [given: string, inUse: string]>(import.meta, "TagVocabulary")
  for (const [given, other] of same)
    test(`replaces ${given} with ${other}`, () =>
      expect(snapTags([given], inUse({ [other]: 1 }))).toEqual([other]))

  const different: ReadonlyArray<readonly [given: string, inUse: string]> = [
    ["css", "cs"],
    ["ios", "io"],
    ["aws", "aw"],
    ["java", "javascript"],
    ["status", "statu"],
    ["analysis", "analysi"],
    ["bus", "bu"],
    ["art", "ar"],
    ["restful", "rest"],
    ["日本語", "日本"]
  ]
  for (const [given, other] of different)
    test(`keeps ${given} beside ${other}`, () =>
      expect(snapTags([given], inUse({ [other]: 9 }))).toEqual([given]))

  test("never returns a private tag", () => {
    expect(snapTags(["health"], inUse({ ".health": 9 }))).toEqual(["health"])
    expect(snapTags(["k8s", "tools"], inUse({ ".kubernetes": 9, ".tool": 9 }))).toEqual(["k8s", "tools"])
    expect(snapTags(["k8s"], inUse({ ".kubernetes": 9, kubernetes: 1 }))).toEqual(["kubernetes"])
  })

  test("prefers the most used of several spellings", () => {
    expect(snapTags(["kube", "k8s"], inUse({ k8s: 2, kubernetes: 7 }))).toEqual(["kube", "kubernetes"])
    expect(snapTags(["golang"], inUse({ go: 9, "go-lang": 3 }))).toEqual(["go"])
    expect(snapTags(["tools"], inUse({ tools: 2, tool: 3 }))).toEqual(["tool"])
  })

  test("keeps the most used spelling", () =>
    expect(snapTags(["tools"], inUse({ tool: 2, tools: 3 }))).toEqual(["tools"]))

  test("keeps unknown tags in their order", () => {
    expect(snapTags(["zebra", "apple", "mango"], inUse({ pear: 3 }))).toEqual(["zebra", "apple", "mango"])
    expect(snapTags(["zebra", "k8s"], [])).toEqual(["zebra", "k8s"])
    expect(snapTags([], inUse({ pear: 3 }))).toEqual([])
  })

  test("merges tags that become the same", () =>
    expect(snapTags(["k8s", "zebra", "kubernetes", "kubernetic"], inUse({ kubernetes: 1 }))).toEqual([
      "kubernetes",
      "zebra",
      "kubernetic"
    ]))

  test("is idempotent", () => {
    const vocabulary = inUse({ kubernetes: 4, js: 3, tools: 2, "machine-learning": 1 })
    const once = snapTags(["k8s", "javascript", "tool", "ml", "new-one"], vocabulary)
    expect(once).toEqual(["kubernetes", "js", "tools", "machine-learning", "new-one"])
    expect(snapTags(once, vocabulary)).toEqual(once)
  })

  test("needs only the tags of spellingVariants", () => {
    const words =
      "js javascript ecmascript ts go golang k8s kubernetes ci cicd library news boss gas analys api".split(
        " "
      )
    const ends = ["", "s", "es", "ies", "y", "-x", "ss"]
    const all = words.flatMap((word, i) =>
      ends.map((ending, j) => ({ name: `${word}${ending}`, count: ((i * 7 + j * 13) % 11) + 1 }))
    )
    for (const { name } of all) {
      const like = new Set(spellingVariants([name]))
      expect(like.size).toBeLessThan(100)
      const some = all.filter((one) => like.has(one.name.replaceAll("-", "")))
      expect(snapTags([name], some)).toEqual(snapTags([name], all))
    }
  })
})
