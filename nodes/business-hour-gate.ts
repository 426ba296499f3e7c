import { gate } from "../src/runtime/gate";

export = gate;
