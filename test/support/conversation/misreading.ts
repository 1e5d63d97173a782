import type { Row, Script } from "./script.ts"

/** A message that is searched for, with these addresses offered. */
const searched = (say: string, ...offers: ReadonlyArray<string>): Row => ({
  shows: `“${say.replaceAll("\n", " ⏎ ")}” is searched for`,
  say,
  answer: /for “|Nothing|match/,
  ...(offers.length === 0 ? {} : { not: /To save a link/ }),
  buttons: offers.map((one) => `Save ${one}`),
  count: 0
})

/** What looks like an address and is none. */
export const misreading: Script = {
  name: "searches that look like addresses",
  rows: [
    searched("site:github.com rust"),
    searched("-site:github.com parser"),
    searched("site:docs.example/guide"),
    searched("tag:v2.ai"),
    searched('title:"how example.com works"'),
    searched("README.md and main.py changed"),
    searched("install.sh"),
    searched("package.json"),
    searched("wait...what"),
    searched("version 1.2.3 of it"),
    searched("J.R.R. Tolkien"),
    searched("ann@example.com"),
    searched("what is v2.ai?", "v2.ai"),
    searched("Was ist v2.ai?", "v2.ai"),
    searched("¿Qué es openai.com?", "openai.com"),
    searched("Что такое v2.ai?", "v2.ai"),
    searched("什么是 v2.ai？", "v2.ai"),
    searched("github.com is down again", "github.com"),
    searched("amazon.com vs ebay.com or etsy.com and x.com", "amazon.com", "ebay.com", "etsy.com"),
    searched("bun.sh", "bun.sh"),
    searched("192.168.1.10", "192.168.1.10")
  ]
}

/** Addresses in doubt, saved by their button, and messages edited from a search to a link and back. */
export const offering: Script = {
  name: "addresses in doubt",
  rows: [
    {
      shows: "a domain with words beside it is searched for, and can be saved",
      say: "bread.example read this #later",
      answer: /bread\.example/,
      buttons: ["Save bread.example"],
      count: 0
    },
    {
      shows: "its button saves it with the note",
      press: "Save bread.example",
      answer: /bread\.example/,
      notice: /Saving/,
      stored: { url: "https://bread.example", note: "read this", tags: ["later"] },
      count: 1
    },
    {
      shows: "pressing it again saves nothing more",
      press: "Save bread.example",
      answer: null,
      notice: /^(Saving…)?$/,
      stored: { url: "https://bread.example", note: "read this" },
      count: 1
    },
    {
      shows: "a domain alone is saved",
      say: "alone.example",
      answer: /alone\.example/,
      stored: { url: "https://alone.example", note: "" },
      count: 2
    },
    {
      shows: "a domain with a hashtag is saved",
      say: "tagged.example #tools",
      answer: /tagged\.example/,
      stored: { url: "https://tagged.example", note: "", tags: ["tools"] },
      count: 3
    },
    {
      shows: "domains of a list are saved",
      say: "first.example\nsecond.example",
      answer: /2 saved/,
      stored: [{ url: "https://first.example" }, { url: "https://second.example" }],
      count: 5
    },
    {
      shows: "a domain on its own line is saved with the rest as note",
      say: "Have you seen this?\nline.example",
      answer: /line\.example/,
      stored: { url: "https://line.example", note: "Have you seen this?" },
      count: 6
    },
    {
      shows: "a note that is set off is one",
      say: "dash.example - for the weekend",
      answer: /dash\.example/,
      stored: { url: "https://dash.example", note: "for the weekend" },
      count: 7
    },
    {
      shows: "a path makes it a link, also in a question",
      say: "is path.example/page any good?",
      answer: /path\.example/,
      stored: { url: "https://path.example/page" },
      count: 8
    },
    {
      shows: "a scheme makes it a link, also in a question",
      say: "what is https://scheme.example?",
      answer: /scheme\.example/,
      stored: { url: "https://scheme.example" },
      count: 9
    },
    {
      shows: "/save makes it a link",
      say: "/save the one at saved.example please",
      answer: /saved\.example/,
      stored: { url: "https://saved.example" },
      count: 10
    },
    {
      shows: "a search is answered",
      say: "what is edited.example?",
      answer: /^Nothing has all of these words\. \d links have some of them/,
      buttons: ["Save edited.example"],
      count: 10
    },
    {
      shows: "edited to a link, it is saved",
      edit: "a search is answered",
      to: "https://edited.example/a worth it",
      answer: /edited\.example/,
      stored: { url: "https://edited.example/a", note: "worth it" },
      count: 11
    },
    {
      shows: "edited back to a search, the link and its note stay",
      edit: "a search is answered",
      to: "what is edited.example?",
      answer: null,
      stored: { url: "https://edited.example/a", note: "worth it" },
      count: 11
    },
    {
      shows: "a forwarded sentence is not searched for, but its address can be saved",
      say: "we use forwarded.example at work",
      more: { forward_origin: { type: "hidden_user", sender_user_name: "Ann", date: 1 } },
      answer: /^Should I save this\?$/,
      buttons: ["Save forwarded.example"],
      count: 11
    }
  ]
}
