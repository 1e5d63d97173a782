/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { Logo } from "../app/components/Logo.tsx"

interface FrameProps {
  readonly title: string
  /** A sentence below the title. */
  readonly lead?: ComponentChildren
  /** Whether the page has several columns where there is room. */
  readonly isWide?: boolean
  /** Whether the page does nothing without scripts. */
  readonly needsScripts?: boolean
  readonly children?: ComponentChildren
}

/** A page of the first hour: the name of the program, a title and a column of text and forms. */
export const Frame = ({ children, isWide = false, lead, needsScripts = true, title }: FrameProps) => (
  <div class="frame" data-wide={isWide}>
    <header class="frame-header">
      <a class="frame-brand" href="/">
        <Logo />
        Linkbower
      </a>
      <a href="/docs">Documentation</a>
    </header>
    <main class="frame-main">
      <h1 tabIndex={-1}>{title}</h1>
      {lead === undefined ? null : <p class="frame-lead">{lead}</p>}
      {needsScripts ? (
        <p class="frame-note frame-scripts">
          This page needs JavaScript. Turn it on for this address, then reload.
        </p>
      ) : null}
      {children}
    </main>
  </div>
)
