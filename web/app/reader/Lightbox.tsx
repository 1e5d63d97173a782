import { Dialog } from "../components/Dialog.tsx"
import { Icon } from "../components/Icon.tsx"
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
  <button
    type="button"
    class="icon-button"
    data-flip={by === 1 ? "" : undefined}
    title={name}
    disabled={isLast}
    onClick={() => step(by)}
  >
    <Icon name="chevron" />
    <span class="visually-hidden">{name}</span>
  </button>
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
        <span class="detail-room" />
        <button type="button" class="icon-button" title="Close (Esc)" data-autofocus="" onClick={close}>
          <Icon name="close" />
          <span class="visually-hidden">Close the picture</span>
        </button>
      </div>
      <button
        type="button"
        class="lightbox-picture"
        aria-label="Close the picture"
        tabIndex={-1}
        onClick={close}
      >
        <img key={src} src={src} alt={alt} width={width} height={height} />
      </button>
      {caption === "" ? null : (
        <p class="lightbox-caption" dir="auto">
          {caption}
        </p>
      )}
    </Dialog>
  )
}
