/** The node as Done would store it, with what it does on Done; the dialog stays as it is. */
export function asDone(node: EditorNode): Record<string, unknown> {
  const inputs = $("[id^=node-input-]").get() as HTMLInputElement[];
  const before = inputs.map(({ value }) => value);
  // A node of the editor is a proxy: what is set on an object that inherits from it is set on the node itself.
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
