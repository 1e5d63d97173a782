/**
 * Measures what the summarizer's prompt says about real pages: `bun test/bench/prompts.ts [pages]`.
 *
 * Compares the best 6,000 characters of a page's text with the first 6,000: how many of the excerpt's words are in the
 * page's paragraphs (the rest is from headings and menus), how many of the paragraphs' words are in the excerpt, and how
 * many of those that only their last third has. No model is asked: how much better its summaries are cannot be measured
 * here.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "../../src/domain/Link.ts"
import { prompt } from "../../src/enrich/model/Prompt.ts"
import { readContent } from "../../src/enrich/page/article/ReadableText.ts"
import { decodePage } from "../../src/enrich/page/Charset.ts"
import { readMetadata } from "../../src/enrich/page/fields/Metadata.ts"
import { cleanLine } from "../../src/shared/Text.ts"
import { DATA, json } from "../support/data.ts"

interface Listed {
  readonly dir: string
  readonly url: string | null
}

const wanted = Number(process.argv[2] ?? 40)
const pageFile = (dir: string) => join(DATA, "pages", dir, "page.html")

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/\p{L}{5,}/gu) ?? [])
const shareOf = (some: ReadonlySet<string>, all: ReadonlySet<string>) =>
  some.size === 0 ? 1 : [...some].filter((word) => all.has(word)).length / some.size

const pages = json<ReadonlyArray<Listed>>("pages/index.json").filter(
  ({ dir, url }) => url !== null && existsSync(pageFile(dir))
)
const step = Math.max(1, Math.floor(pages.length / wanted))
const sample = pages.filter((_, index) => index % step === 0).slice(0, wanted)

const measured = sample.map(({ dir, url }) => {
  const html = decodePage(readFileSync(pageFile(dir)), "text/html; charset=utf-8")
  const address = new URL(url ?? "https://example.org/")
  const { oembed: _, ...metadata } = readMetadata(html, address)
  const content = readContent(html, address)
  const page: Page = {
    ...metadata,
    url: address.href,
    author: metadata.author ?? content.author,
    description: metadata.description || (content.description ?? ""),
    language: metadata.language ?? content.language,
    text: content.text,
    article: ""
  }
  const asked = prompt({ url: address, page, repository: null, note: "", categories: [], tags: [] })
  const best = /<text>(.*)<\/text>/.exec(asked.prompt)?.[1] ?? ""
  const article = page.text
    .split("\n")
    .filter((line) => line.length >= 60)
    .join("\n")
  const words = wordsOf(article)
  const before = wordsOf(article.slice(0, (article.length * 2) / 3))
  const end = new Set([...words].filter((word) => !before.has(word)))
  const measure = (excerpt: string) => ({
    length: excerpt.length,
    precision: shareOf(wordsOf(excerpt), words),
    recall: shareOf(words, wordsOf(excerpt)),
    end: shareOf(end, wordsOf(excerpt))
  })
  return {
    isLong: page.text.length > 6_000,
    first: measure(cleanLine(page.text, 6_000)),
    best: measure(best),
    prompt: asked.prompt.length,
    system: asked.system.length,
    fields: ["author", "published", "type", "facts", "description"].filter((name) =>
      asked.prompt.includes(`<${name}>`)
    )
  }
})

type Measured = (typeof measured)[number]

const mean = (values: ReadonlyArray<number>) =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length
const row = (name: string, some: ReadonlyArray<Measured>, of: (one: Measured) => Measured["best"]) =>
  [
    name.padEnd(34),
    ...(["length", "precision", "recall", "end"] as const).map((field) =>
      mean(some.map((one) => of(one)[field]))
        .toFixed(field === "length" ? 0 : 3)
        .padStart(10)
    )
  ].join("")

const long = measured.filter(({ isLong }) => isLong)
console.log(
  `${" ".repeat(34)}${["length", "precision", "recall", "end"].map((name) => name.padStart(10)).join("")}`
)
console.log(row(`first 6,000, all ${measured.length} pages`, measured, ({ first }) => first))
console.log(row(`best 6,000, all ${measured.length} pages`, measured, ({ best }) => best))
console.log(row(`first 6,000, the ${long.length} longer pages`, long, ({ first }) => first))
console.log(row(`best 6,000, the ${long.length} longer pages`, long, ({ best }) => best))
console.log(
  `prompt: ${mean(measured.map(({ prompt }) => prompt)).toFixed(0)} characters a page, system ${measured[0]?.system}; ` +
    ["author", "published", "type", "facts", "description"]
      .map((name) => `${name} ${measured.filter(({ fields }) => fields.includes(name)).length}`)
      .join(", ")
)
