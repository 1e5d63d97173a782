import { Button, IconButton } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { enlarged } from "./pictures.ts"

const close = () => {
  enlarged.value = null
}

/** Shows the picture before or after; stays at the first and the last one. */
const step = (by: 1 | -1) => {
  const now = enlarged.peek()
  if (now?.all[now.at + by] !== undefined) enlarged.value = { ...now, at: now.at + by }
}

interface StepProps {
  readonly by: 1 | -1
  readonly name: string
  readonly isLast: boolean
}

const Step = ({ by, isLast, name }: StepProps) => (
  <IconButton
    icon="chevron"
    label={name}
    data-flip={by === 1 ? "" : undefined}
    disabled={isLast}
    onClick={() => step(by)}
  />
)

/** A picture of the article as large as the screen allows, and the way to the others. */
export const Lightbox = () => {
  const now = enlarged.value
  const picture = now?.all[now.at]
  if (now === null || picture === undefined) return null
  const { alt, caption, height, src, width } = picture
  return (
    <Dialog label={alt === "" ? "Picture" : alt} class="lightbox" onClose={close}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys are a shortcut for the buttons. */}
      <div
        class="lightbox-bar"
        onKeyDown={({ key }) => {
          if (key === "ArrowLeft") step(-1)
          if (key === "ArrowRight") step(1)
        }}
      >
        {now.all.length < 2 ? null : (
          <>
            <Step by={-1} name="Previous picture" isLast={now.at === 0} />
            <span class="hint">
              {now.at + 1} of {now.all.length}
            </span>
            <Step by={1} name="Next picture" isLast={now.at === now.all.length - 1} />
          </>
        )}
        <span class="grow" />
        <IconButton
          icon="close"
          label="Close the picture"
          title="Close (Esc)"
          data-autofocus=""
          onClick={close}
        />
      </div>
      <Button class="lightbox-picture" aria-label="Close the picture" tabIndex={-1} onClick={close}>
        <img key={src} src={src} alt={alt} width={width} height={height} />
      </Button>
      {caption === "" ? null : (
        <p class="lightbox-caption hint" dir="auto">
          {caption}
        </p>
      )}
    </Dialog>
  )
}
