export { action, post, read, remove, shape } from "./action";
export { callId } from "./call-id";
export { control } from "./control";
export { gate } from "./gate";
export { eachOf, wholeList } from "./pages";
