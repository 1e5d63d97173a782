import type { Script } from "./script.ts"

/** What the bot says when it finds, lists and explains. */
export const finding: Script = {
  name: "finding links again",
  rows: [
    {
      shows: "undo of nothing says so",
      say: "/undo",
      answer: /^Nothing left to undo\.$/,
      buttons: [],
      count: 0
    },
    {
      shows: "an empty inbox of an empty library asks for a link",
      say: "/inbox",
      answer: /^Nothing is saved yet\. Send me a link\.$/
    },
    {
      shows: "no favorites say how to make one",
      say: "/favorites",
      answer: /^No favorites yet\. Tap ☆ on a card\.$/
    },
    { shows: "no page is gone", say: "/broken", answer: /^No page is gone\.$/ },
    { shows: "no random link", say: "/random", answer: /^Nothing is saved yet\. Send me a link\.$/ },
    {
      shows: "several links are saved with one reply",
      say: "{Sourdough bread} {Rye bread} {Chess openings}",
      answer: /^3 saved/,
      count: 3
    },
    {
      shows: "a search counts its matches",
      say: "/find bread",
      answer: /^2 matches for “bread”:/,
      not: /☆/,
      buttons: ["1", "2"]
    },
    {
      shows: "words without a link search, and say how to save",
      say: "chess",
      answer: /^1 match for “chess”:[\s\S]*To save a link, send it here\.$/
    },
    {
      shows: "a search that only some words match says so",
      say: "/find chess zeppelin",
      answer: /^Nothing has all of these words\. 1 link has some of them:/
    },
    {
      shows: "small talk finds nothing",
      say: "see you tomorrow",
      answer: /^Nothing found for “see you tomorrow”\./,
      buttons: []
    },
    { shows: "thanks are answered", say: "Thanks!", answer: /^You’re welcome!/ },
    {
      shows: "a request in words says what to press",
      say: "delete the last one",
      answer: /^I only take commands\. Press 🗑 Delete, or send \/delete \d+\./,
      buttons: ["Delete"]
    },
    {
      shows: "a search without words says how",
      say: "/find",
      answer: /^Add some words: \/find vector databases$/
    },
    { shows: "a number alone shows the card", say: "#1", answer: /#1/, buttons: ["Favorite"] },
    {
      shows: "the latest links",
      say: "/recent 2",
      answer: /^Latest links \(page 1 of 2\):/,
      buttons: ["More"]
    },
    {
      shows: "a number out of range is explained",
      say: "/recent 99",
      answer: /^Give a number from 1 to 20: \/recent 10$/
    },
    { shows: "unread links", say: "/unread", answer: /^3 unread links:/ },
    { shows: "links in no collection", say: "/inbox", answer: /^3 links in no collection:/ },
    { shows: "no collections yet", say: "/collections", answer: /^No collections yet\. Press 📁/ },
    {
      shows: "no saved searches yet",
      say: "/saved",
      answer: /^No saved searches yet\. Save one in the dashboard\.$/
    },
    { shows: "an unknown saved search", say: "/saved zebra", answer: /^No saved search is called “zebra”\./ },
    {
      shows: "the library in numbers",
      say: "/stats",
      answer: /^3 links\n★ 0 favorites · 🌐 0 shared\n[\s\S]*Pages not fetched yet: 0$/
    },
    {
      shows: "help is short, with all commands behind a button",
      say: "/help",
      answer: /^Send a link to save it[\s\S]*In any chat, type @my_bot/,
      buttons: ["All commands"]
    },
    { shows: "a welcome", say: "/start", answer: /^Linkbower\n\nSend me a link/ },
    {
      shows: "an unknown command is one line",
      say: "/zzz",
      answer: /^I don’t know \/zzz\. \/help lists what I do\.$/
    },
    {
      shows: "a slip names the command",
      say: "/fnid bread",
      answer: /^I don’t know \/fnid\. Did you mean \/find\?$/
    },
    {
      shows: "another word for a command names it",
      say: "/search bread",
      answer: /^I don’t know \/search\. Did you mean \/find\?$/
    },
    {
      shows: "/save alone says how",
      say: "/save",
      answer: /^Send the link after it: \/save https:\/\/example\.org$/
    },
    {
      shows: "a link that was saved seconds ago was saved just now",
      say: "{Rye bread}",
      answer: /^Already saved just now as #\d\./,
      count: 3
    },
    { shows: "an unknown number", say: "/note 99", answer: /^There is no link #99\.$/ },
    {
      shows: "a command about a link without a number",
      say: "/similar",
      answer: /^Add the link’s number, as in \/similar 12, or reply to its card with \/similar\.$/
    },
    {
      shows: "a link in a command is not saved",
      say: "/stats https://example.org/x",
      answer: /Links in a command aren’t saved/,
      count: 3
    }
  ]
}

/** What the bot says when links change, and when that is undone. */
export const changing: Script = {
  name: "changing links and undoing it",
  rows: [
    { shows: "the first link", say: "{Alpha}", answer: /Alpha {2}#1/, not: /☆/, count: 1 },
    { shows: "the second link", say: "{Beta}", answer: /Beta {2}#2/, count: 2 },
    {
      shows: "a tag is added and another removed",
      say: "/tag 1 +effect -draft",
      answer: /^Tags changed\. The link doesn’t have the tag draft\.\nAlpha/,
      stored: { url: "{Alpha}", tags: ["effect"] }
    },
    {
      shows: "arguments are forgiving",
      say: "/tag #1, “machine learning”, #zig",
      answer: /^Tags changed\./,
      stored: { url: "{Alpha}", tags: ["effect", "machine-learning", "zig"] }
    },
    {
      shows: "undoing tags names them",
      say: "/undo",
      answer: /^Undone: took the tags “machine-learning” and “zig” off #1\.$/,
      stored: { url: "{Alpha}", tags: ["effect"], withoutTags: ["zig"] }
    },
    {
      shows: "/tag alone is explained in one line",
      say: "/tag",
      answer:
        /^Add the link’s number, as in \/tag 12 effect -draft, or reply to its card with \/tag effect -draft\.$/
    },
    {
      shows: "a title",
      say: "/title 1 A better name",
      answer: /^Title changed\.\nA better name/,
      stored: { url: "{Alpha}", title: "A better name" }
    },
    {
      shows: "undoing a title says the old one",
      say: "/undo",
      answer: /^Undone: #1 is called “Alpha” again\.$/,
      buttons: ["#1"],
      stored: { url: "{Alpha}", title: "Alpha" }
    },
    {
      shows: "a title in a reply to a card",
      say: "/title The first",
      replyTo: /^Tags changed\. The link doesn’t have the tag draft\.\nAlpha/,
      answer: /^Title changed\.\nThe first/,
      stored: { url: "{Alpha}", title: "The first" }
    },
    { shows: "a title without words", say: "/title 1", answer: /^Add the title: \/title 1 A better name$/ },
    {
      shows: "a note is repeated",
      say: "/note 1 look again soon",
      answer: /^📝 Added to #1: “look again soon”$/,
      stored: { url: "{Alpha}", note: "look again soon" }
    },
    {
      shows: "the same note again",
      say: "/note 1 look again soon",
      answer: /^The note of #1 already says “look again soon”\.$/
    },
    {
      shows: "undoing a note",
      say: "/undo",
      answer: /^Undone: restored the note of #1\.$/,
      stored: { url: "{Alpha}", note: "" }
    },
    {
      shows: "a move",
      say: "/move 1 Work",
      answer: /^Created Work\.[\s\S]*📁 Work/,
      stored: { url: "{Alpha}", collection: "Work" }
    },
    {
      shows: "undoing a move",
      say: "/undo",
      answer: /^Undone: moved #1 back out of Work\.$/,
      stored: { url: "{Alpha}", collection: null }
    },
    { shows: "a favorite", say: "#2", answer: /Beta/, buttons: ["☆ Favorite"] },
    {
      shows: "marked by its button",
      press: "☆ Favorite",
      on: /Beta/,
      answer: /★/,
      notice: /^Added to favorites$/,
      stored: { url: "{Beta}", favorite: true }
    },
    {
      shows: "sharing",
      say: "/share 2",
      answer: /^Now on the public list\./,
      stored: { url: "{Beta}", shareable: true }
    },
    {
      shows: "undoing sharing",
      say: "/undo",
      answer: /^Undone: took #2 off the public list\.$/,
      stored: { url: "{Beta}", shareable: false }
    },
    { shows: "reading", say: "/done 2", answer: /^Marked as read\./ },
    { shows: "reading again", say: "/done 2", answer: /^Already read\./ },
    { shows: "undoing reading", say: "/undo", answer: /^Undone: marked #2 as unread again\.$/ },
    {
      shows: "a deletion",
      say: "/delete 1",
      answer: /^Moved to the trash: The first {2}#1$/,
      buttons: ["↩ Undo", "Delete forever"],
      count: 1
    },
    { shows: "a deletion is undone, not skipped", say: "/undo", answer: /^Restored #1\.$/, count: 2 },
    { shows: "deleted again", say: "/delete 1", answer: /^Moved to the trash/, count: 1 },
    {
      shows: "a second /delete asks",
      say: "/delete 1",
      answer: /^Delete The first {2}#1 forever\? This can’t be undone\.$/,
      buttons: ["🗑 Delete forever", "Cancel"]
    },
    {
      shows: "deleted forever",
      press: "🗑 Delete forever",
      answer: /^Deleted #1 forever\.$/,
      notice: /^Deleted forever$/,
      count: 1
    },
    {
      shows: "a final deletion is not skipped in silence",
      say: "/undo",
      answer: /^Deleting #1 forever can’t be undone\.\nUndo the change before it \(★ on #2\)\?$/,
      buttons: ["Undo it"]
    },
    {
      shows: "the change before it is undone when asked",
      press: "Undo it",
      answer: /^Undone: removed ★ from #2\.$/,
      notice: /^Undone$/,
      stored: { url: "{Beta}", favorite: false }
    },
    {
      shows: "a move that the dashboard changes",
      say: "/move 2 Here",
      answer: /^Created Here\./,
      stored: { url: "{Beta}", collection: "Here" }
    },
    {
      shows: "the dashboard moves it",
      change: { op: "collection", collection: "Elsewhere" },
      of: "{Beta}",
      answer: null
    },
    {
      shows: "undo says what has changed since",
      say: "/undo",
      answer: /^The collection has been changed since then\. Undoing would overwrite that\.$/,
      buttons: ["Undo anyway"],
      stored: { url: "{Beta}", collection: "Elsewhere" }
    },
    {
      shows: "undone anyway",
      press: "Undo anyway",
      answer: /^Undone: moved #2 back out of Here\.$/,
      stored: { url: "{Beta}", collection: null }
    },
    { shows: "nothing is left", say: "/undo", answer: /^Nothing left to undo\.$/ },
    { shows: "an empty trash", say: "/trash", answer: /^The trash is empty\.$/ }
  ]
}

/** Jobs: organizing after a preview, duplicates, and what they say. */
export const tidying: Script = {
  name: "tidying up",
  rows: [
    {
      shows: "nothing to organize",
      say: "/organize",
      answer: /^Nothing to organize: no unfiled link is similar enough to others\.$/
    },
    {
      shows: "links to file",
      say: "{Chocolate chip cookies recipe} {Chewy chocolate cookies recipe} {Chocolate cookies recipe}",
      answer: /^3 saved/,
      count: 3
    },
    {
      shows: "organize previews first",
      say: "/organize",
      answer: /^3 links to file, 1 new collection:\n📁 .+: 3 \(new\)$/,
      buttons: ["File 3", "Cancel"],
      stored: { url: "{Chocolate cookies recipe}", collection: null }
    },
    {
      shows: "a preview is cancelled",
      press: "Cancel",
      on: /links to file/,
      answer: /^Cancelled\. Nothing was filed\.$/,
      buttons: [],
      stored: { url: "{Chocolate cookies recipe}", collection: null }
    },
    { shows: "another preview", say: "/organize", answer: /^3 links to file/, buttons: ["File 3"] },
    {
      shows: "the preview is filed",
      press: "File 3",
      answer: /^Filed 3 links, 1 new collection\./,
      buttons: ["↩ Undo"],
      notice: /^Filing…$/
    },
    {
      shows: "undoing a job names it",
      say: "/undo",
      answer: /^Undone: \/organize, 3 links unfiled again\.$/,
      stored: { url: "{Chocolate cookies recipe}", collection: null }
    },
    { shows: "a third preview", say: "/organize", answer: /^3 links to file/, buttons: ["File 3"] },
    {
      shows: "the dashboard files one",
      change: { op: "collection", collection: "Mine" },
      of: "{Chocolate cookies recipe}",
      answer: null
    },
    {
      shows: "a preview that is out of date says so",
      press: "File 3",
      answer: /^1 link has changed since this preview\. Nothing was filed\. Send \/organize for a new one\.$/,
      notice: /^Out of date$/
    },
    {
      shows: "recategorize with a wrong word",
      say: "/recategorize everything",
      answer: /^Send \/recategorize alone, or with a word:\nall – .+\nmodel – .+$/
    },
    { shows: "nothing to retry", say: "/retry", answer: /^Nothing to retry: every link is complete\.$/ }
  ]
}
