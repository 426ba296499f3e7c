/** Stands for a line break in the text box of a typed input, which cannot hold one. A private character of Unicode. */
const BREAK = "\uE000";

/** A text as the text box of a typed input holds it. */
export function inOneLine(text: string): string {
  return text.replace(/\r?\n/g, BREAK);
}

/** Shows a type of a typed input as several lines. `prepare` gets the text area each time that it is made. */
export function severalLines(type: TypedInputType, prepare: (area: JQuery) => void): TypedInputType {
  const shown = (value: string) => value.replaceAll(BREAK, "\n");
  return {
    ...type,
    export: shown,
    valueLabel(container, value) {
      const { input } = this;
      const area = $("<textarea>", { rows: 2, class: "telephony-lines", spellcheck: true }).val(shown(value));
      area.on("input", () => {
        input.val(inOneLine(String(area.val()))).trigger("change");
      });
      prepare(area.appendTo(container));
    },
    expand() {
      const complete = (text: string) => this.value(inOneLine(text.trimEnd()));
      RED.editor.editText({ value: this.value(), focus: true, complete });
    },
  };
}
