import { shellAssets } from "../../dist/app/assets.ts"

/** The parts of an app page, besides the app itself. */
interface ShellParts {
  /** The part of the app that takes over. */
  readonly app: "dashboard" | "list"
  readonly title: string
  readonly description?: string
  /** Additional markup for the head, escaped by the caller. */
  readonly head?: string
  /** Markup shown until the app takes over, or permanently without scripts, escaped by the caller. */
  readonly body?: string
  /** Initial data of the app, which saves it a request; any JSON value. */
  readonly data?: unknown
}

/** Serializes JSON for an inline script, so that it cannot contain the element's end tag. */
const inlineJson = (value: unknown) => JSON.stringify(value).replaceAll("<", "\\u003c")

const { icons, manifest, style, theme } = shellAssets

const scripts = ({ entry, imports }: (typeof shellAssets)["dashboard" | "list"]) =>
  [
    ...imports.map((path) => `<link rel="modulepreload" href="${path}">`),
    `<script type="module" src="${entry}"></script>`
  ].join("\n")

/** Renders a complete page of the app. */
export const renderAppPage = ({
  app,
  body = "",
  data = null,
  description,
  head = "",
  title
}: ShellParts): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${Bun.escapeHTML(title)}</title>${
    description === undefined ? "" : `\n<meta name="description" content="${Bun.escapeHTML(description)}">`
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
