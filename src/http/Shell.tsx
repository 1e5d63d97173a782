/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { renderToString } from "preact-render-to-string"
import { shellAssets } from "../../dist/app/assets.ts"

interface ShellParts {
  /** The page, whose script takes over if it has one. */
  readonly app: "dashboard" | "list" | "signIn" | "setUp" | "connect" | "consent" | "door"
  readonly title: string
  readonly description?: string
  /** Additional elements of the head. */
  readonly head?: ComponentChildren
  /** Shown until the app takes over, or permanently without scripts. */
  readonly body?: ComponentChildren
  /** Initial data of the app, which saves it a request; any JSON value. */
  readonly data?: unknown
}

/** Serializes JSON for an inline script, so that it cannot contain the element's end tag. */
const inlineJson = (value: unknown) => JSON.stringify(value).replaceAll("<", "\\u003c")

const { icons, manifest, theme } = shellAssets

/** The script of a page and the chunks that it imports at once. */
const Scripts = ({ entry, imports }: { readonly entry: string; readonly imports: ReadonlyArray<string> }) => (
  <>
    {imports.map((path) => (
      <link key={path} rel="modulepreload" href={path} />
    ))}
    <script type="module" src={entry} />
  </>
)

const Shell = ({ app, body, data = null, description, head, title }: ShellParts) => {
  const page = shellAssets[app]
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        {description === undefined ? null : <meta name="description" content={description} />}
        <script src={theme} />
        <link rel="stylesheet" href={page.style} />
        {"entry" in page ? <Scripts {...page} /> : null}
        <link rel="icon" type="image/svg+xml" href={icons.svg} />
        <link rel="apple-touch-icon" href={icons.apple} />
        <link rel="manifest" href={manifest} />
        {head}
      </head>
      <body>
        <div id="app">{body}</div>
        {/* Not as a child: a browser reads a script's text as it is, so escaping would change the JSON. */}
        <script type="application/json" id="data" dangerouslySetInnerHTML={{ __html: inlineJson(data) }} />
      </body>
    </html>
  )
}

export const renderAppPage = (parts: ShellParts): string =>
  `<!doctype html>\n${renderToString(<Shell {...parts} />)}\n`
