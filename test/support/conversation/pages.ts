import { bookmarks } from "./files.ts"
import type { Script } from "./script.ts"

const missing = "a page that is missing is saved, with the reason"

/** Links whose pages cannot be read, with what each says, one whose page is kept, and files of both ways. */
export const withService: Script = {
  name: "pages and files",
  needsService: true,
  rows: [
    {
      shows: missing,
      say: "{/gone/how-we-bake-bread} for the upgrade",
      answer:
        /^How we bake bread {2}#1\n[\s\S]*Saved, but the page answered 404\. I’ll retry; 🔄 tries now\.$/,
      buttons: ["🔄 Refresh"],
      stored: { url: "{/gone/how-we-bake-bread}", note: "for the upgrade" },
      count: 1
    },
    {
      shows: "a page behind a login",
      say: "{/members}",
      answer: /\nSaved, but the site asks visitors to log in\. I’ll retry; 🔄 tries now\.$/,
      count: 2
    },
    {
      shows: "a program",
      say: "{/program}",
      answer: /\nSaved, but this kind of file cannot be read\. I’ll retry; 🔄 tries now\.$/,
      count: 3
    },
    {
      shows: "a site that does not exist",
      say: "https://nowhere.example/page",
      answer: /\nSaved, but the site cannot be reached\. I’ll retry; 🔄 tries now\.$/,
      count: 4
    },
    {
      shows: "a list marks those that are unreadable",
      say: "{/gone/the-second-one} {A page that is there}",
      answer: /^2 saved · 1 unreadable\nThe second one {2}#5 \(unreadable\)\nA page that is there {2}#6$/,
      count: 6
    },
    {
      shows: "reading a page again says what came of it",
      press: "🔄 Refresh",
      on: /^How we bake bread/,
      answer: /\nSaved, but the page answered 404\. 🔄 tries again\.$/,
      notice: /^Reading the page again…$/
    },
    {
      shows: "all of them are tried again",
      say: "/retry",
      answer: /^Completed 0 of 5 incomplete links\.$/
    },
    {
      shows: "they are found by their notes all the same",
      say: "/find upgrade",
      answer: /^1 match for “upgrade”:[\s\S]*How we bake bread/
    },
    {
      shows: "the text of a kept page",
      say: "/read 6",
      answer: /^A page that is there\n.* min/,
      buttons: ["⬇ EPUB", "Show card"]
    },
    {
      shows: "a kept page as a file",
      say: "/epub 6",
      answer: /^A page that is there {2}#6$/,
      buttons: ["Show card"]
    },
    {
      shows: "a file of bookmarks",
      file: "bookmarks.html",
      content: bookmarks("Alpha", "Beta"),
      answer: /^Import 2 links from “bookmarks\.html”\?\n/,
      buttons: ["Import", "Cancel"],
      count: 6
    },
    {
      shows: "it is imported",
      press: "Import",
      answer: /: 2 links imported$/,
      buttons: ["Take back"],
      stored: { url: "{Alpha}", tags: ["from-file"] },
      count: 8
    },
    {
      shows: "the whole library",
      say: "/backup",
      answer:
        /^Backup of your whole library: 8 links, .* Left out: passwords, sessions, the bot token, and the addresses of your feeds and e-readers,/,
      sends: { name: /^linkbower-[\d-]+\.db\.zip$/, text: /^SQLite format 3\0/ }
    }
  ]
}

/** Links sent from any chat. */
export const inline: Script = {
  name: "inline mode",
  rows: [
    { shows: "nothing is saved yet", inline: "bread", answer: /^\(no results\)$/ },
    { shows: "links to send", say: "{Sourdough bread} {Chess openings}", answer: /^2 saved/, count: 2 },
    { shows: "words find a link", inline: "sourdough", answer: /^Sourdough bread – .*127\.0\.0\.1/ },
    { shows: "no words list the newest first", inline: "", answer: /^Chess openings[^\n]*\nSourdough bread/ },
    { shows: "words that nothing has", inline: "-bread -chess", answer: /^\(no results\)$/ },
    { shows: "another person finds nothing", inline: "sourdough", by: 31_337, answer: /^\(no results\)$/ }
  ]
}
