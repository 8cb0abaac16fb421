// SPDX-License-Identifier: MIT
// What pages import of packages that are set up beside the project, whose types are not there.

export const AutoModelForCausalLM: any;
export const AutoTokenizer: any;
export const LoggerWithoutDebug: any;
export const LogitsProcessor: any;
export const LogitsProcessorList: any;
export const Wllama: any;
export const env: any;
