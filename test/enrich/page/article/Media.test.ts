import { describe, expect, test } from "bun:test"
import { articleOfMarkup } from "../../../../src/enrich/page/article/Articles.ts"
import { readContent } from "../../../../src/enrich/page/article/ReadableText.ts"
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
const pixel = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
const thumbnail = "https://i.ytimg.com/vi/lGL7RgHn5f0/hqdefault.jpg"
const film = [thumbnail, "-> https://www.youtube.com/watch?v=lGL7RgHn5f0"]

const media: ReadonlyArray<readonly [markup: string, found: ReadonlyArray<string>]> = [
  ['<p><iframe src="https://www.youtube.com/embed/lGL7RgHn5f0?rel=0" allowfullscreen></iframe></p>', film],
  [
    '<div class="video-wrapper"><div><iframe data-src="//www.youtube-nocookie.com/embed/lGL7RgHn5f0"></iframe></div></div>',
    film
  ],
  ['<lite-youtube videoid="lGL7RgHn5f0" playlabel="Play"></lite-youtube>', film],
  ['<amp-youtube data-videoid="lGL7RgHn5f0" width=480 height=270></amp-youtube>', film],
  [
    '<figure><div><iframe title="Vimeo" src="https://player.vimeo.com/video/76979871"></iframe></div><figcaption>Tides</figcaption></figure>',
    ["-> https://vimeo.com/76979871"]
  ],
  [
    '<iframe src="https://player.vimeo.com/video/1?h=abc" allow="fullscreen"></iframe>',
    ["-> https://player.vimeo.com/video/1?h=abc"]
  ],
  [
    '<video controls poster="/p.png"><source src="/film.mp4" type="video/mp4">No.</video>',
    ["https://site.example/p.png", "-> https://site.example/film.mp4"]
  ],
  ['<audio controls src="/talk.mp3"></audio>', ["-> https://site.example/talk.mp3"]],
  ['<object data="/map.pdf" type="application/pdf"></object>', ["-> https://site.example/map.pdf"]],
  [
    '<iframe title="A map of the bay" src="https://tiles.example/7/"></iframe>',
    ["-> https://tiles.example/7/"]
  ],
  [
    '<script src="https://gist.github.com/harbour/aa5a315d61.js"></script>',
    ["-> https://gist.github.com/harbour/aa5a315d61"]
  ],
  [
    '<script async src="https://code.example/a/-/snippets/12.js"></script>',
    ["-> https://code.example/a/-/snippets/12"]
  ],
  ['<amp-img src="/a.png" alt="a" width=300 height=200></amp-img>', ["https://site.example/a.png"]],
  [
    `<picture><source data-srcset="/a-640.png 640w, /a-1280.png 1280w"><img alt=a src="${pixel}"></picture>`,
    ["https://site.example/a-1280.png"]
  ],
  [
    '<figure><picture><source srcset="/a.avif 1x" type="image/avif"><img alt=a></picture></figure>',
    ["https://site.example/a.avif"]
  ],
  [
    '<picture><source srcset="/a.avif" type="image/avif"><source srcset="/a.webp"><img alt=a></picture>',
    ["https://site.example/a.webp"]
  ],
  ['<picture><source srcset="/wide.png"><img alt=a src="/a.png"></picture>', ["https://site.example/a.png"]],
  ['<div><img alt=a data-runner-src="/a.jpg"></div>', ["https://site.example/a.jpg"]],
  [
    '<img alt=a src="/static/blank.gif" data-hi-res-image="https://cdn.example/p?id=7">',
    ["https://cdn.example/p?id=7"]
  ],
  [`<img alt=a src="${pixel}" data-lazy="/a.webp?w=900">`, ["https://site.example/a.webp?w=900"]],
  [`<img alt=a src="${pixel}" data-flow-srcset="/a.png 300w, /b.png 900w">`, ["https://site.example/b.png"]],
  ['<img alt=a srcset="/a.png 2x">', ["https://site.example/a.png"]],
  ['<img alt=a src="/a.png" data-link="/other.jpg">', ["https://site.example/a.png"]]
]

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
