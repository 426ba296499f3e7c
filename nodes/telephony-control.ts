import { control } from "../src/runtime/control";

export = control;
