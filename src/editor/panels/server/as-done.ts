/** The node as Done would store it, including what the dialog does on Done. The dialog is left as it is. */
export function asDone(node: EditorNode): Record<string, unknown> {
  const inputs = $("[id^=node-input-]").get() as HTMLInputElement[];
  const before = inputs.map(({ value }) => value);
  // A node of the editor is a proxy: a property of an object that inherits from it would be set on the node itself.
  const copy: EditorNode = { ...node };
  node._def.oneditsave?.call(copy);
  const config: Record<string, unknown> = { id: node.id, type: node.type };
  for (const property of Object.keys(node._def.defaults)) {
    const value = $(`#node-input-${property}`).val() ?? copy[property];
    config[property] = value === "_ADD_" ? "" : value;
  }
  inputs.forEach((input, index) => {
    const value = before[index] ?? "";
    if (input.value !== value) input.value = value;
  });
  return config;
}
