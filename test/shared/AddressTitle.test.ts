import { describe, expect, test } from "bun:test"
import { isTitleFromAddress, titleFromAddress } from "../../src/shared/AddressTitle.ts"
import { cpuTime } from "../support/cpuTime.ts"

const at = (path: string) => titleFromAddress(new URL(path, "https://example.org"))

describe("titleFromAddress", () => {
  for (const [path, title] of [
    ["/blog/how-we-cut-build-times", "How we cut build times"],
    ["/blog/how-we-cut-build-times/", "How we cut build times"],
    ["/2024/05/12/how-we-cut-build-times.html?utm_source=x#top", "How we cut build times"],
    ["/2024-05-12-how-we-cut-build-times.de.htm", "How we cut build times"],
    ["/20240512_how_we_cut_build_times.aspx", "How we cut build times"],
    ["/how-we-cut-build-times-12-05-2024", "How we cut build times"],
    ["/@ann/how-we-cut-build-times-3f2a9c8b7d1e", "How we cut build times"],
    ["/ann/how-we-cut-build-times-4k2j", "How we cut build times"],
    ["/how-we-cut-build-times-123e4567-e89b-12d3-a456-426614174000", "How we cut build times"],
    ["/news/how-we-cut-build-times-a67812345", "How we cut build times"],
    ["/questions/11227809/why-is-a-sorted-array-faster", "Why is a sorted array faster"],
    ["/why-is-a-sorted-array-faster/11227809/2", "Why is a sorted array faster"],
    ["/Some-Product-Name/dp/B08N5WRWNW/ref=sr_1_1", "Some Product Name"],
    ["/10-ways-to-cook-eggs", "10 ways to cook eggs"],
    ["/top-5-editors-of-2026", "Top 5 editors of 2026"],
    ["/why-we-like-k8s", "Why we like k8s"],
    ["/JavaScript_vs_TypeScript", "JavaScript vs TypeScript"],
    ["/it%E2%80%99s-not-a-bug", "It’s not a bug"],
    ["/how+we%20cut_build", "How we cut build"],
    ["/как-мы-сократили-сборку", "Как мы сократили сборку"],
    ["/πώς-μειώσαμε-τον-χρόνο", "Πώς μειώσαμε τον χρόνο"],
    ["/كيف-قللنا-وقت-البناء", "كيف قللنا وقت البناء"],
    ["/빌드-시간을-줄인-방법", "빌드 시간을 줄인 방법"],
    ["/如何缩短构建时间", "如何缩短构建时间"],
    ["/ビルド時間を短縮した方法.html", "ビルド時間を短縮した方法"],
    ["/วิธีลดเวลาในการสร้าง", "วิธีลดเวลาในการสร้าง"],
    ["/बिल्ड-समय-कैसे-घटाएं", "बिल्ड समय कैसे घटाएं"],
    ["/élan-vital-et-durée", "Élan vital et durée"],
    ["/up%E2%80%AEside-down-words-here", "Upside down words here"]
  ] as const)
    test(`makes ${title} of ${path}`, () => expect(at(path)).toBe(title))

  for (const path of [
    "/",
    "/secret",
    "/login-page",
    "/about-us/",
    "/index.html",
    "/a-b-c",
    "/dQw4w9-WgX_cQ",
    "/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit",
    "/123e4567-e89b-12d3-a456-426614174000",
    "/2024/05/12/",
    "/status/1234567890123456789",
    "/x1-y2-z3-w4",
    "/%E4bc-def-ghi",
    "/首页",
    "/watch?title=how-we-cut-build-times",
    "/#how-we-cut-build-times"
  ])
    test(`makes nothing of ${path}`, () => expect(at(path)).toBeNull())

  test("never uses the host", () =>
    expect(titleFromAddress(new URL("https://how-we-cut-build-times.example/"))).toBeNull())

  test("makes a clean line of bounded length, in linear time", () => {
    const start = cpuTime()
    for (const path of [
      `/${"word-".repeat(1_600)}`,
      `/${"-".repeat(8_000)}`,
      `/${"%E4%B8%80".repeat(800)}`,
      "/a".repeat(4_000)
    ])
      expect(at(path)?.length ?? 0).toBeLessThanOrEqual(300)
    expect(cpuTime() - start).toBeLessThan(1_500)
  })
})

describe("isTitleFromAddress", () => {
  const url = "https://example.org/2026/how-we-cut-build-times"
  for (const [title, is] of [
    ["example.org", true],
    ["How we cut build times", true],
    ["How We Cut Build Times", false],
    ["How we cut build times!", false],
    ["", false]
  ] as const)
    test(`is ${is} for “${title}”`, () =>
      expect(isTitleFromAddress({ title, url, host: "example.org" })).toBe(is))
})

test("a host in its own script is a title from the address", () => {
  const [host, url] = ["xn--bcher-kva.example", "https://xn--bcher-kva.example/a"]
  for (const title of [host, "bücher.example"]) expect(isTitleFromAddress({ title, host, url })).toBe(true)
  expect(isTitleFromAddress({ title: "Bücher", host, url })).toBe(false)
})
