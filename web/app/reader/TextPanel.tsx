import type { Signal } from "@preact/signals"
import { Button, IconButton } from "../components/Button.tsx"
import { CheckBox } from "../components/Fields.tsx"
import { useFramePopover } from "./MenuItem.tsx"
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

const PANEL = "reader-text"

interface ChoiceProps<A extends string> {
  readonly label: string
  readonly setting: Signal<A>
  readonly choices: ReadonlyArray<A>
  readonly names: Readonly<Record<A, string>>
}

/** A row of choices, of which one is made. */
const Choice = <A extends string>({ choices, label, names, setting }: ChoiceProps<A>) => (
  <fieldset class="reader-choice">
    <legend>{label}</legend>
    <div class="display-layouts">
      {choices.map((one) => (
        <label key={one} class="display-layout" data-choice={one}>
          <input
            type="radio"
            name={label}
            class="visually-hidden"
            checked={setting.value === one}
            onChange={() => {
              setting.value = one
            }}
          />
          {names[one]}
        </label>
      ))}
    </div>
  </fieldset>
)

const SizeButtons = () => {
  const at = sizes.indexOf(size.value)
  return (
    <fieldset class="reader-choice">
      <legend>Text size</legend>
      <div class="reader-sizes">
        <Button title="Smaller text (-)" disabled={at === 0} onClick={() => changeSize(-1)}>
          <span aria-hidden="true">A</span>
          <span class="visually-hidden">Smaller text</span>
        </Button>
        <output aria-label="Text size">
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

/** The button and the panel for how texts are set. */
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
        <Choice
          label="Paper"
          setting={paper}
          choices={papers}
          names={{ system: "Auto", light: "Light", sepia: "Sepia", dark: "Dark", black: "Black" }}
        />
        <Choice label="Font" setting={font} choices={fonts} names={{ serif: "Serif", sans: "Sans" }} />
        <SizeButtons />
        <Choice
          label="Line width"
          setting={width}
          choices={widths}
          names={{ narrow: "Narrow", medium: "Medium", wide: "Wide" }}
        />
        <Choice
          label="Line height"
          setting={leading}
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
