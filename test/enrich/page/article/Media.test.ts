import { describe, expect, test } from "bun:test"
import { articleOfMarkup } from "../../../../src/enrich/page/article/Articles.ts"
import { readContent } from "../../../../src/enrich/page/article/ReadableText.ts"
import { rowsOf } from "../../../support/rows.ts"
import { paragraphs } from "../support/visits.ts"

const url = new URL("https://site.example/a/b")
const prose = paragraphs("A sentence of an article, with a comma, that was written for its readers.", 6)

/** The media in the article of a page with this markup in its text, and in the article of such a feed item. */
const mediaIn = (markup: string) => {
  const html = `<p>Before the part.</p>${markup}<p>After the part.</p>${prose}`
  return [
    readContent(`<!doctype html><title>A</title><article><h1>A</h1>${html}</article>`, url).article,
    articleOfMarkup(html, url).html
  ].map((article) =>
    [...article.matchAll(/<img src="([^"]*)|<a href="([^"]*)">/g)].map(([, src, href]) => src ?? `-> ${href}`)
  )
}

const media = rowsOf<readonly [markup: string, found: ReadonlyArray<string>]>(import.meta, "Media")

describe("an article", () => {
  for (const [markup, found] of media)
    test(`keeps the media of ${markup.slice(0, 70)}`, () => {
      const [ofPage, ofItem] = mediaIn(markup)
      expect(ofPage).toEqual([...found])
      // A feed item's custom picture elements are left alone.
      if (!markup.startsWith("<amp-img")) expect(ofItem).toEqual([...found])
    })

  for (const markup of [
    '<iframe src="https://www.googletagmanager.com/ns.html?id=G" height=0 width=0></iframe>',
    '<iframe src="https://ads.example/banner" title="3rd party ad content"></iframe>',
    '<iframe src="https://www.facebook.com/plugins/like.php?href=x" allow="autoplay"></iframe>',
    '<iframe src="https://news.example/embed/newsletter" width=600></iframe>',
    '<iframe src="https://player.example/v" style="display:none"></iframe>',
    '<iframe src="https://player.example/v" width=1 height=1></iframe>',
    '<video hidden poster="/p.png"><source src="/film.mp4"></video>',
    '<iframe src="javascript:alert(1)" allowfullscreen></iframe>',
    '<iframe src="about:blank" title="A player"></iframe>',
    '<script src="https://cdn.example/embed.js"></script>',
    '<script src="https://code.example/jquery-3.6.0.min.js"></script>'
  ])
    test(`shows nothing for ${markup.slice(0, 70)}`, () => expect(mediaIn(markup)[0]).toEqual([]))
})
