import { useEffect, useState } from "preact/hooks"
import { copyText } from "../copyText.ts"
import { tellFailure } from "../state/toasts.ts"
import { Button } from "./Button.tsx"

/** How long the confirmation is shown, in milliseconds. */
const CONFIRMATION = 2_000

/** A button that copies a text and confirms it. */
export const CopyButton = ({ label = "Copy", text }: { readonly text: string; readonly label?: string }) => {
  const [copied, setCopied] = useState(0)
  useEffect(() => {
    if (copied === 0) return
    const timer = setTimeout(() => setCopied(0), CONFIRMATION)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () =>
    copyText(text).then(
      () => setCopied(copied + 1),
      (error: unknown) => tellFailure("Not copied.", error)
    )
  return (
    <Button icon={copied > 0 ? "check" : "copy"} kind="quiet" onClick={() => void copy()}>
      <span aria-live="polite">{copied > 0 ? "Copied" : label}</span>
    </Button>
  )
}

/** A command or setting to copy. */
export const Command = ({ text }: { readonly text: string }) => (
  <div class="command">
    <pre>
      <code>{text}</code>
    </pre>
    <CopyButton text={text} />
  </div>
)
