import type { RealLink } from "../../bench/realLinks.ts"

/** Difficult texts for a screen: other scripts and directions, a very long word, very short and long texts, markup. */
export const oddLinks: ReadonlyArray<RealLink> = [
  ["كيف تعمل محركات البحث", "مقدمة موجزة عن الفهرسة والترتيب واسترجاع المعلومات.", "arabic/search"],
  ["איך בונים ספרייה אישית של קישורים", "מדריך קצר לארגון קריאה ברשת.", "hebrew/library"],
  ["日本語全文検索の基礎と形態素解析", "形態素解析と N-gram の違いを例とともに説明する。", "japanese/search"],
  ["Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft", "", "long/word"],
  ["x", "", "short"],
  [
    "A very long title that goes on and on, because whoever wrote this page wanted it to hold the whole story of how a small team moved four thousand services from one data centre to another over a single rainy weekend in March",
    "And a description that is just as long as the title. ".repeat(8).trim(),
    "long/title"
  ],
  [`<script>alert("title")</script> & other "marks"`, "<b>Not bold</b>, and &amp; stays as it is.", "marks"],
  ["👩🏽‍🚀 Space, the 🌍 and everything 🏳️‍🌈", "Emoji of several characters in one.", "emoji"]
].map(([title = "", description = "", path]) => ({
  url: `https://odd.example/${path}`,
  title,
  description,
  list: "odd",
  section: "Odd ones"
}))

const sections: Readonly<Record<string, ReadonlyArray<readonly [title: string, description: string]>>> = {
  "Cooking / Bread": [
    ["The patient sourdough", "How temperature, not time, decides when a loaf is ready to bake."],
    ["Rye without fear", "A dense, dark loaf from Finland with four ingredients and no kneading."],
    ["What flour names mean", "Type 550, 00, T65: protein and ash of flours across Europe, in one table."],
    ["A starter from scratch", "Seven days, flour and water, and what each smell along the way tells you."],
    ["Focaccia for a crowd", "One bowl, one tray, an overnight rise, and plenty of good olive oil."],
    ["Steam in a home oven", "Six ways to make steam for a better crust, compared side by side."]
  ],
  "Cooking / Vegetables": [
    ["Leeks, three ways", "Charred, braised and raw: one vegetable carried through a whole dinner."],
    ["The case for salting early", "Why aubergines and cabbages want salt an hour before the heat."],
    ["A winter of beans", "Twelve pots of beans with the soaking times that really matter."],
    ["Pickles in one hour", "Quick brines for carrots, onions and radishes, with ratios by weight."]
  ],
  "Programming / Databases": [
    ["B-trees, drawn slowly", "Pages, splits and merges of a B-tree, one picture at a time."],
    ["What fsync really promises", "A tour through file systems and disks that lie about durable writes."],
    ["Write-ahead logging for the curious", "Why databases write everything twice and are faster for it."],
    ["Full-text search in one file", "Ranking, stemming and snippets with the search engine inside SQLite."],
    ["Reading a query plan", "A field guide to scans, joins and sorts, with twenty annotated plans."],
    ["Vectors at the edge", "Nearest neighbours in a few megabytes of memory, without a server."]
  ],
  "Programming / Types": [
    ["Parse, then trust", "Turning unknown input into types once, at the border of a program."],
    ["Errors are values too", "A typed error channel and what it does to the shape of a code base."],
    ["Branding numbers", "Keeping metres and feet apart at no cost while the program runs."],
    ["Variance in ten minutes", "Why a list of cats is sometimes no list of animals."]
  ],
  "Web / Accessibility": [
    ["Focus is a feature", "Where the focus goes after a dialog closes, and why it must be decided."],
    ["Contrast beyond numbers", "What the ratio measures, what it misses, and how to choose colours."],
    ["Live regions without noise", "Announcing results politely: what screen readers say and when."],
    ["Keyboard traps I have built", "Five mistakes with menus and grids, and the fix for each."],
    ["Motion and the inner ear", "Why some animations make people ill, and what to show instead."]
  ],
  "Web / Performance": [
    ["The first 14 kilobytes", "What fits in the first round trip of a page, and what should."],
    ["Fonts are optional", "System fonts across platforms, with pictures of every one of them."],
    ["A list of a million rows", "Virtual scrolling with keyboard, search and screen readers intact."],
    ["Images that never jump", "Boxes with known ratios, lazy loading and honest placeholders."]
  ],
  "Science / Space": [
    ["The night sky in March", "What to find with bare eyes from a dark place in the north."],
    ["Counting rings of Saturn", "Photographs from a small telescope in a back garden, stacked."],
    ["How we weigh a planet", "From a moon's orbit to tonnes, with arithmetic a pupil can follow."],
    ["Voyager's last heaters", "Which instruments still run, and what they will be switched off for."]
  ],
  "Science / Sea": [
    ["The map of the deep floor", "How ships, buoys and satellites measure what nobody has seen."],
    ["Whales and their dialects", "Songs of the humpback travel east, ocean by ocean, year by year."],
    ["A tide table by hand", "Sines, the moon, and a harbour's own stubbornness."]
  ],
  "Garden / Soil": [
    ["Compost by the numbers", "Carbon, nitrogen, water and air: a heap that heats within three days."],
    ["Worms in the kitchen", "A box under the sink that turns peel into soil and does not smell."],
    ["Clay that can breathe", "Four seasons of leaves and patience against a pan of clay."]
  ],
  "Garden / Trees": [
    ["Pruning an old apple", "Where to cut, when to stop, and what the tree does the year after."],
    ["A hedge for birds", "Hawthorn, dogwood, wild rose: planting for berries and nests."],
    ["Pears against a wall", "Espalier in the first five years, with a drawing for each winter."]
  ],
  "Music / Learning": [
    ["Chords for two hands", "Left and right on the piano without a single scale exercise."],
    ["Hearing intervals", "A short daily drill of songs everybody knows already."],
    ["Tuning by ear", "Beats between strings, and how to make them slow down and vanish."]
  ],
  "Travel / Trains": [
    ["Night trains of Europe", "Every sleeper with its route, its cars and how early to book."],
    ["Across the Alps by day", "Four passes, four lines, and the side of the train to sit on."],
    ["A ticket for the whole coast", "Regional passes by the sea and what they leave out."],
    ["Stations worth a detour", "Halls, clocks and cafés of twelve stations between two trains."]
  ],
  "Design / Type": [
    ["The space between letters", "Kerning as rhythm: what to fix by hand and what to leave alone."],
    ["Numbers that line up", "Tabular and old-style figures, and the one line of style they need."],
    ["A page has margins", "Why the margin is part of the text, from manuscripts to screens."]
  ],
  "Design / Maps": [
    ["Hills in black and white", "Hachures, contours and shading: drawing height with a pen."],
    ["A legend nobody needs", "Maps that explain themselves, taken apart one by one."],
    ["Colours for many classes", "Choosing twelve colours that stay apart for every reader."]
  ],
  "Work / Writing": [
    ["The meeting that was a memo", "A template of one page that a team wrote instead of meeting."],
    ["Plain words first", "Rewriting ten paragraphs of a real handbook, step by step."],
    ["Notes that find you again", "Linking notes by question instead of by topic."],
    ["How to say no in writing", "Seven letters that decline, and keep the door open."]
  ]
}

const pathOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")

/** Invented links, used when the real ones are missing. */
export const madeUpLinks: ReadonlyArray<RealLink> = Object.entries(sections).flatMap(([section, texts]) => {
  const [list = "", part = ""] = section.split(" / ")
  return texts.map(([title, description]) => ({
    url: `https://${pathOf(part)}.example/${pathOf(list)}/${pathOf(title)}`,
    title,
    description,
    list,
    section
  }))
})
