import { shellAssets } from "../../dist/app/assets.ts"
import { escapeHtml } from "./Html.ts"

/** What a page of the app is made of, beside the app itself. */
interface ShellParts {
  /** Which part of the app takes over. */
  readonly app: "dashboard" | "list"
  readonly title: string
  readonly description?: string
  /** More for the head: markup the caller has made safe. */
  readonly head?: string
  /** What stands there until the app takes over, or for good where scripts are off: markup the caller has made safe. */
  readonly body?: string
  /** What the app starts with, so that it need not ask; any JSON value. */
  readonly data?: unknown
}

/** JSON that no HTML parser takes for the end of its element. */
const inlineJson = (value: unknown) => JSON.stringify(value).replaceAll("<", "\\u003c")

const { icons, manifest, style, theme } = shellAssets

const scripts = ({ entry, imports }: (typeof shellAssets)["dashboard" | "list"]) =>
  [
    ...imports.map((path) => `<link rel="modulepreload" href="${path}">`),
    `<script type="module" src="${entry}"></script>`
  ].join("\n")

/** A whole page of the app. */
export const shell = ({ app, body = "", data = null, description, head = "", title }: ShellParts): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>${
    description === undefined ? "" : `\n<meta name="description" content="${escapeHtml(description)}">`
  }
<script src="${theme}"></script>
<link rel="stylesheet" href="${style}">
${scripts(shellAssets[app])}
<link rel="icon" type="image/svg+xml" href="${icons.svg}">
<link rel="apple-touch-icon" href="${icons.apple}">
<link rel="manifest" href="${manifest}">
${head}</head>
<body>
<div id="app">${body}</div>
<script type="application/json" id="data">${inlineJson(data)}</script>
</body>
</html>
`
