import { HttpServerResponse } from "@effect/platform"
import { shellAssets } from "../../dist/app/assets.ts"

/** What this is, for whoever comes by. */
export const welcomePage = HttpServerResponse.html(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Linkbower</title>
<meta name="description" content="A link library for one person.">
<script src="${shellAssets.theme}"></script>
<link rel="stylesheet" href="${shellAssets.style}">
<link rel="icon" type="image/svg+xml" href="${shellAssets.icons.svg}">
</head>
<body>
<main class="public welcome">
<h1>Linkbower</h1>
<p>A link library for one person. Send a link to its Telegram bot, or capture it from the browser: it is kept, read,
summarised, tagged and found again.</p>
<p><a class="button" href="/list">Links that are shared with everybody</a>
<a class="button" href="/dashboard">The owner’s dashboard</a></p>
<p>The browser extension, for its owner: <a href="/downloads/linkbower-chrome.zip">for Chrome and Edge</a>,
<a href="/downloads/linkbower-firefox.zip">for Firefox</a>.</p>
</main>
</body>
</html>
`)
