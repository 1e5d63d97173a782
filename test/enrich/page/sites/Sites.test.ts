import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { Either, Schema } from "effect"
import { isObject } from "../../../../src/domain/Json.ts"
import { SandboxReply } from "../../../../src/enrich/page/Sandbox.ts"
import type { SitePage } from "../../../../src/enrich/page/sites/SitePage.ts"
import { MAX_ANSWER, type SiteRule } from "../../../../src/enrich/page/sites/SiteRule.ts"
import { siteRuleNamed, sites } from "../../../../src/enrich/page/sites/Sites.ts"
import { cpuTime } from "../../../support/cpuTime.ts"
import { byTier, sampleOf } from "../../../support/tier.ts"

/**
 * A recorded answer, in `fixtures/RULE.json` or `fixtures/RULE.KIND.json`: the saved address, the request, the answer
 * (JSON, or a text of another kind) and what it states.
 */
const Recorded = Schema.Struct({
  url: Schema.String,
  asked: Schema.String,
  answer: Schema.Unknown,
  page: Schema.Unknown
})
const folder = new URL("fixtures/", import.meta.url).pathname
const recorded = readdirSync(folder).map((file) => ({
  name: file.slice(0, file.indexOf(".")),
  kind: file.replace(/\.json$/, ""),
  ...Schema.decodeUnknownSync(Schema.parseJson(Recorded))(readFileSync(folder + file, "utf8"))
}))

const ruleNamed = (name: string): SiteRule => {
  const rule = siteRuleNamed(name)
  if (rule === undefined) throw new Error(`There is no rule ${name}`)
  return rule
}

/** Rules whose answer is a file as it is, so that any text is one. */
const anyText: ReadonlySet<string> = new Set(["github-file"])

const textOf = (answer: unknown) => (typeof answer === "string" ? answer : JSON.stringify(answer))

const decode = Schema.decodeUnknownEither(SandboxReply, { onExcessProperty: "error" })
/** Whether the service accepts what the sandbox child would reply. */
const isAccepted = (site: SitePage) =>
  Either.isRight(decode(JSON.parse(JSON.stringify({ said: "site", site }))))

describe("sites with rules of their own", () => {
  test("have a recorded answer each", () => {
    const names = recorded.map(({ name }) => name)
    expect(sites.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([])
    expect(new Set(sites.map(({ name }) => name)).size).toBe(sites.length)
  })

  for (const { answer, asked, kind, name, page, url } of recorded) {
    const rule = ruleNamed(name)
    test(`${kind}: asks for and reads the recorded answer`, () => {
      expect(rule.request(new URL(url))?.address.href).toBe(asked)
      const stated = rule.read(textOf(answer), new URL(url)) ?? {}
      expect(JSON.parse(JSON.stringify(stated))).toEqual(page)
      expect(isAccepted(stated)).toBe(true)
    })

    if (!anyText.has(name))
      test(`${kind}: reads no answer about other things`, () => {
        for (const broken of [
          "",
          " ",
          "null",
          "7",
          '"text"',
          "[]",
          "{}",
          "[[]]",
          '{"error":"not found"}',
          '{"items":[],"results":[],"thread":null}',
          "<!doctype html><html><head><title>Too many requests</title></head><body><p>Wait</p></body></html>",
          "\0\ufffd",
          textOf(answer).slice(0, textOf(answer).length / 2)
        ])
          expect(rule.read(broken, new URL(url))).toBeUndefined()
      })

    test(`${kind}: states only what the service accepts, whatever the answer has in a place`, () => {
      const others: ReadonlyArray<unknown> = [
        null,
        7,
        -1.5,
        1e300,
        true,
        "",
        "javascript:alert(1)",
        "\u202e\0\ud800 <b>x</b>",
        "x".repeat(byTier(10_000, 300_000)),
        `<p>${"&amp;".repeat(byTier(1_000, 60_000))}`,
        [],
        {},
        [{}],
        { toString: 1 },
        "2020-13-45T99:99:99Z"
      ]
      let reads = 0
      /** Reads the answer with each value in it replaced by each of the others. */
      const replace = (value: unknown, rebuild: (other: unknown) => unknown) => {
        for (const other of others) {
          const read = rule.read(textOf(rebuild(other)), new URL(url))
          reads++
          if (read !== undefined && !isAccepted(read)) expect([other, read]).toEqual(["accepted", {}])
        }
        if (Array.isArray(value))
          value.forEach((one, at) => {
            replace(one, (other) => rebuild(value.with(at, other)))
          })
        else if (isObject(value))
          for (const key of Object.keys(value))
            replace(value[key], (other) => rebuild({ ...value, [key]: other }))
      }
      replace(answer, (other) => other)
      expect(reads).toBeGreaterThanOrEqual(others.length)
    })

    test(`${kind}: takes linear time over a hostile answer`, () => {
      const fill = (piece: string) => piece.repeat(Math.ceil(MAX_ANSWER / piece.length))
      /** The answer with every text in it replaced, cut to the length of an answer. */
      const withTexts = (text: string, value: unknown = answer): unknown => {
        if (typeof value === "string") return text
        if (Array.isArray(value)) return value.map((one) => withTexts(text, one))
        if (!isObject(value)) return value
        return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withTexts(text, one)]))
      }
      const start = cpuTime()
      const pieces = ["<p>", "<", "&", " ", "a ", "<a href=x>", "&#", "pic.x.com/", ":a", "\n", "https://"]
      for (const piece of sampleOf(pieces, 2))
        rule.read(textOf(withTexts(fill(piece).slice(0, 50_000))), new URL(url))
      const floods = [fill("["), fill('{"a":'), fill('"'), fill("<p>"), `[${fill("{},")}{}]`]
      for (const flood of sampleOf(floods, 1)) rule.read(flood, new URL(url))
      expect(cpuTime() - start).toBeLessThan(6_000)
    })
  }
})
