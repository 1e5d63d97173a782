import { Button, IconButton } from "../components/Button.tsx"
import { CheckBox, choosing, Segments } from "../components/Fields.tsx"
import {
  changeSize,
  font,
  fonts,
  isTextChosen,
  justified,
  leading,
  leadings,
  paper,
  papers,
  resetText,
  size,
  sizes,
  width,
  widths
} from "./settings.ts"
import { useFramePopover } from "./useFramePopover.ts"

const PANEL = "reader-text"

const SizeButtons = () => {
  const at = sizes.indexOf(size.value)
  return (
    <fieldset>
      <legend>Text size</legend>
      <div class="reader-sizes">
        <Button title="Smaller text (-)" disabled={at === 0} onClick={() => changeSize(-1)}>
          <span aria-hidden="true">A</span>
          <span class="visually-hidden">Smaller text</span>
        </Button>
        <output class="hint" aria-label="Text size">
          {at + 1} of {sizes.length}
        </output>
        <Button title="Larger text (+)" disabled={at === sizes.length - 1} onClick={() => changeSize(1)}>
          <span aria-hidden="true">A</span>
          <span class="visually-hidden">Larger text</span>
        </Button>
      </div>
    </fieldset>
  )
}

export const TextButton = () => {
  const panel = useFramePopover()
  return (
    <>
      <IconButton icon="text" label="Text" popovertarget={PANEL} aria-haspopup="dialog" />
      <div
        ref={panel}
        id={PANEL}
        class="reader-panel floating"
        popover="auto"
        role="dialog"
        aria-label="Text"
      >
        <Segments
          legend="Paper"
          {...choosing(paper)}
          choices={papers}
          names={{ system: "Auto", light: "Light", sepia: "Sepia", dark: "Dark", black: "Black" }}
        />
        <Segments
          legend="Font"
          {...choosing(font)}
          choices={fonts}
          names={{ serif: "Serif", sans: "Sans" }}
        />
        <SizeButtons />
        <Segments
          legend="Line width"
          {...choosing(width)}
          choices={widths}
          names={{ narrow: "Narrow", medium: "Medium", wide: "Wide" }}
        />
        <Segments
          legend="Line height"
          {...choosing(leading)}
          choices={leadings}
          names={{ tight: "Tight", normal: "Normal", loose: "Loose" }}
        />
        <CheckBox
          checked={justified.value === "yes"}
          onChange={(isJustified) => {
            justified.value = isJustified ? "yes" : "no"
          }}
        >
          Justify and hyphenate
        </CheckBox>
        {isTextChosen() ? (
          <p class="row end">
            <Button kind="quiet" onClick={resetText}>
              Reset
            </Button>
          </p>
        ) : null}
      </div>
    </>
  )
}
