import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { count, dayText } from "../../../src/shared/Format.ts"
import { oneLine } from "../../../src/shared/Text.ts"
import { api } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { MenuItem } from "../components/MenuItem.tsx"
import { useLoaded } from "../components/useLoaded.tsx"
import { navigate, readerHref } from "../state/route.ts"
import { type Change, changesOf } from "./changes.ts"
import type { ReaderFrame } from "./frame.ts"
import type { PartProps } from "./parts.ts"

/** The dialog that is open: the list of versions, or what changed since the shown one. */
const opened = signal<"versions" | "changes" | undefined>(undefined)

const close = () => {
  opened.value = undefined
}

const versionHref = (id: number, version: number | undefined): string =>
  version === undefined ? readerHref(id) : `${readerHref(id)}?version=${version}`

const show = (id: number, version: number | undefined) => {
  close()
  navigate(versionHref(id, version), { replace: true })
}

export const VersionsItem = () => (
  <li>
    <MenuItem
      icon="clock"
      run={() => {
        opened.value = "versions"
      }}
    >
      Versions…
    </MenuItem>
  </li>
)

const timeText = (iso: string) =>
  `${dayText(iso)}, ${new Date(iso).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hour12: false })}`

const useVersions = (id: number) => useLoaded(async () => (await api.pageVersions(id)).versions, [id])

const VersionList = ({ frame, link }: PartProps) => {
  const { notice, value: found } = useVersions(link.id)
  const newest = found?.[0]?.version
  const shown = frame?.version ?? newest
  return (
    <Dialog title="Versions" onClose={close}>
      {notice}
      {found === undefined ? null : (
        <>
          {found.length === 1 ? (
            <p class="hint">
              There is one version. Another one is kept when a refresh finds that the text has changed.
            </p>
          ) : null}
          <ul class="version-list">
            {found.map(({ savedAt, title, version, words }) => (
              <li key={version}>
                <Button
                  class="menu-item"
                  aria-current={version === shown ? "true" : undefined}
                  onClick={() => show(link.id, version === newest ? undefined : version)}
                >
                  <span>
                    <time dateTime={savedAt}>{timeText(savedAt)}</time>
                    {version === newest ? " (current)" : ""}
                    <span class="hint" dir="auto">
                      {" "}
                      {count(words, "word")}
                      {title === link.title ? "" : ` · ${title}`}
                    </span>
                  </span>
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}

/** Maximum number of paragraphs that are compared, and of their characters; the rest is left out. */
const MAX_PARAGRAPHS = 5_000
const MAX_CHARACTERS = 1_000_000

const PARAGRAPHS = "p, h1, h2, h3, h4, h5, h6, li, dt, dd, blockquote, figcaption, caption, tr, pre"

/** The texts of an article's paragraphs, in order; what is in one of them is in no other. */
const paragraphsOf = (article: HTMLElement): ReadonlyArray<string> => {
  const all: Array<string> = []
  let characters = 0
  for (const element of article.querySelectorAll(PARAGRAPHS)) {
    if (element.querySelector(PARAGRAPHS) !== null) continue
    const text = oneLine(element.textContent)
    characters += text.length
    if (all.length === MAX_PARAGRAPHS || characters > MAX_CHARACTERS) break
    if (text !== "") all.push(text)
  }
  return all
}

/** How long to wait for the current version, in milliseconds. */
const PATIENCE = 20_000

/** Reads the paragraphs of the current version in a frame that is not shown. */
const readCurrent = async (id: number): Promise<ReadonlyArray<string>> => {
  const frame = document.createElement("iframe")
  frame.setAttribute("sandbox", "allow-same-origin")
  frame.hidden = true
  frame.src = `/dashboard/read/${id}/document`
  try {
    await new Promise<void>((resolve, reject) => {
      frame.addEventListener("load", () => resolve(), { once: true })
      setTimeout(() => reject(new Error("The current version could not be loaded.")), PATIENCE)
      document.body.append(frame)
    })
    const article = frame.contentDocument?.querySelector<HTMLElement>("#article")
    if (article == null) throw new Error("The current version could not be loaded.")
    return paragraphsOf(article)
  } finally {
    frame.remove()
  }
}

const elements = { same: "span", removed: "del", added: "ins" } as const

const Paragraph = ({ change }: { readonly change: Change }) =>
  change.kind === "gap" ? (
    <p class="hint changes-gap">{count(change.count, "unchanged paragraph")}</p>
  ) : (
    <p dir="auto">
      {change.pieces.map(({ kind, text }, at) => {
        const Element = elements[kind]
        return <Element key={at}>{text}</Element>
      })}
    </p>
  )

const Changes = ({ frame }: { readonly frame: ReaderFrame }) => {
  const { notice, value: found } = useLoaded(
    async () => changesOf(paragraphsOf(frame.article), await readCurrent(frame.id)),
    [frame]
  )
  return (
    <Dialog title="What changed since this version" class="reader-changes" onClose={close}>
      {notice}
      {found === undefined ? null : (
        <div class="changes">
          {found.every(({ kind }) => kind === "gap") ? (
            <p>The words are the same. Structure, links or pictures have changed.</p>
          ) : (
            found.map((change, at) => <Paragraph key={at} change={change} />)
          )}
        </div>
      )}
    </Dialog>
  )
}

/** Says that an earlier version is shown, and leads to the current one. */
export const VersionBanner = ({ frame, link }: PartProps) => {
  const version = frame?.version
  if (version === undefined) return null
  return <Banner key={version} version={version} linkId={link.id} />
}

const Banner = ({ linkId, version }: { readonly linkId: number; readonly version: number }) => {
  const { value: all = [] } = useVersions(linkId)
  const one = all.find((each) => each.version === version)
  const isCurrent = one !== undefined && one === all[0]
  return (
    <div class="reader-banner row" role="status">
      <p>
        <strong>{isCurrent ? "This is the current version" : "This is an earlier version"}</strong>
        {one === undefined ? "." : `, kept on ${timeText(one.savedAt)}.`}
      </p>
      {isCurrent ? null : (
        <Button
          onClick={() => {
            opened.value = "changes"
          }}
        >
          What changed
        </Button>
      )}
      <Button onClick={() => show(linkId, undefined)}>Show the current version</Button>
    </div>
  )
}

export const VersionDialogs = ({ frame, link }: PartProps) => {
  useEffect(() => close, [link.id])
  if (opened.value === "versions") return <VersionList frame={frame} link={link} />
  return opened.value === "changes" && frame?.version !== undefined ? <Changes frame={frame} /> : null
}
