import { expect, test } from "bun:test"
import { refreshTarget } from "../../../src/enrich/page/Refresh.ts"
import { lookAt } from "../../../src/enrich/page/walls/PageProbe.ts"
import { document, paragraphs } from "./support/visits.ts"

const url = new URL("https://site.example/a/b")
const meta = (content: string) => `<meta http-equiv="refresh" content="${content}">`
const article = paragraphs("A sentence of an article that was written for its readers.", 8)
const leadsTo = (html: string, header: string | null = null) => refreshTarget(lookAt(html), url, header)
const target = "https://site.example/target"

for (const content of [
  "0; url='/target'",
  "0;URL=https://site.example/target",
  "0, url=/target",
  "0 /target",
  "0;/target",
  "1.5; url = &quot;/target&quot; trailing",
  " 5 ;\n url=../target",
  ";url=/target",
  "10;UrL=//site.example/target",
  "30; url=/target"
])
  test(`follows the refresh ${content}`, () => {
    const short = document({ title: "Redirecting…", head: meta(content) }, "Redirecting you")
    expect(leadsTo(short)).toBe(target)
    expect(leadsTo("<p>You will be forwarded.", content.replaceAll("&quot;", '"'))).toBe(target)
    expect(leadsTo("", content.replaceAll("&quot;", '"'))).toBe(target)
  })

for (const [what, html, to] of [
  [
    "in noscript",
    `<title>x</title><noscript><META HTTP-EQUIV=Refresh CONTENT="0;URL=/target"></noscript>`,
    target
  ],
  ["in the body", `<body>Moved.${meta("0; url=/target")}`, target],
  ["relative to the base", `<base href="/c/">${meta("0; url=x")}`, "https://site.example/c/x"],
  ["at once, with a text", document({ head: meta("0; url=/target") }, article), target],
  ["later, with a text", document({ head: meta("20; url=/target") }, article), null],
  [
    "in noscript, with a text",
    document({ head: `<noscript>${meta("0; url=/target")}</noscript>` }, article),
    null
  ],
  [
    "in noscript, with a description",
    `<meta property="og:title" content="A"><noscript>${meta("0; url=/target")}</noscript>`,
    null
  ],
  ["after minutes", document({ head: meta("300; url=/target") }, "News"), null],
  ["to itself", document({ head: meta("0; url=/a/b#top") }, "x"), null],
  ["without an address", document({ head: meta("5") }, "x"), null],
  ["to a script", document({ head: meta("0; url=javascript:alert(1)") }, "x"), null],
  ["in a comment", `<!-- ${meta("0; url=/target")} -->`, null],
  ["in a template", `<template>${meta("0; url=/target")}</template>`, null]
] as const)
  test(`judges a refresh ${what}`, () => expect(leadsTo(html)).toBe(to))
