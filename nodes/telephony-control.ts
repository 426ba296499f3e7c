import { control } from "../src/runtime";

export = control;
