// SPDX-License-Identifier: MIT
// Jinja's statements.
import { ExpressionParser } from './expression-parser.js';
import { tokens } from './lexer.js';
import type { BlockFilter, Expression, Signature, Statement, Target } from './nodes.js';
import { TokenStream } from './token-stream.js';

/** @throws Error with what is wrong; LimitError when it nests too deep */
export function parsed(source: string): Statement[] {
  return new StatementParser(new TokenStream(tokens(source))).template();
}

class StatementParser {
  #expressions: ExpressionParser;
  #loops = 0;

  constructor(readonly tokens: TokenStream) {
    this.#expressions = new ExpressionParser(tokens);
  }

  template(): Statement[] {
    const found = this.#body();
    if (this.tokens.current.kind !== 'end') {
      this.tokens.take();
      this.tokens.fail('no end of a block');
    }
    return found;
  }

  /** Up to the tag that one of these names begins, behind its name; all up to the end without them. */
  #body(...ends: string[]): Statement[] {
    return this.tokens.within(() => {
      const found: Statement[] = [];
      while (true) {
        const { current, next } = this.tokens;
        if (current.kind === 'text') found.push({ kind: 'text', text: current.text });
        if (current.kind === 'end') {
          if (ends.length > 0) this.tokens.fail(`{% ${ends.at(-1)} %}`);
          return found;
        }
        if (current.kind === '{%' && next.kind === 'name' && ends.includes(next.text)) {
          this.tokens.take();
          return found;
        }
        this.tokens.take();
        if (current.kind === '{{') {
          found.push({ kind: 'output', value: this.#list('}}') });
          this.tokens.expect('}}');
        } else if (current.kind === '{%') found.push(this.#statement());
      }
    });
  }

  /** A body and the tag that ends it. */
  #bodyTo(end: string): Statement[] {
    const found = this.#body(end);
    this.tokens.take();
    this.tokens.expect('%}');
    return found;
  }

  #list(end: '}}' | '%}'): Expression {
    return this.#expressions.list(() => this.tokens.current.kind === end);
  }

  #statement(): Statement {
    const name = this.tokens.expectName();
    switch (name) {
      case 'if':
        return this.#if();
      case 'for':
        return this.#for();
      case 'set':
        return this.#set();
      case 'macro':
        return this.#macro();
      case 'call':
        return this.#call();
      case 'with':
        return this.#with();
      case 'filter': {
        const filters = this.#filters();
        this.tokens.expect('%}');
        return { kind: 'filter block', filters, body: this.#bodyTo('endfilter') };
      }
      // What the assistant says, for training: it is put out as it is.
      case 'generation':
        this.tokens.expect('%}');
        return {
          kind: 'with',
          names: [],
          body: this.#outsideLoops(() => this.#bodyTo('endgeneration')),
        };
      case 'print': {
        const items = [this.#expressions.expression()];
        while (this.tokens.skipOperator(',')) items.push(this.#expressions.expression());
        this.tokens.expect('%}');
        return { kind: 'output', value: { kind: 'concatenation', items } };
      }
      case 'break':
      case 'continue':
        if (this.#loops === 0) throw new Error(`{% ${name} %} stands in no loop`);
        this.tokens.expect('%}');
        return { kind: name };
      default:
        throw new Error(`it has a {% ${name} %} that is not known, or not begun`);
    }
  }

  #if(): Statement {
    const branches: [Expression, Statement[]][] = [];
    while (true) {
      const test = this.#list('%}');
      this.tokens.expect('%}');
      branches.push([test, this.#body('elif', 'else', 'endif')]);
      if (!this.tokens.skipName('elif')) break;
    }
    const isElse = this.tokens.skipName('else');
    if (!isElse) this.tokens.take();
    this.tokens.expect('%}');
    return { kind: 'if', branches, otherwise: isElse ? this.#bodyTo('endif') : [] };
  }

  #for(): Statement {
    const { tokens } = this;
    const target = this.#target();
    if (!tokens.skipName('in')) tokens.fail('in');
    const items = this.#expressions.list(
      () => tokens.current.kind === '%}' || tokens.isName('if', 'recursive'),
      () => this.#expressions.withoutCondition(),
    );
    const test = tokens.skipName('if') ? this.#expressions.expression() : undefined;
    const isRecursive = tokens.skipName('recursive');
    tokens.expect('%}');
    this.#loops++;
    const body = this.#body('else', 'endfor');
    this.#loops--;
    const isElse = tokens.skipName('else');
    if (!isElse) tokens.take();
    tokens.expect('%}');
    const otherwise = isElse ? this.#bodyTo('endfor') : [];
    return { kind: 'for', target, items, test, isRecursive, body, otherwise };
  }

  /** A name, or several with commas between. */
  #target(): Target {
    const items: Target[] = [];
    let isSeveral = false;
    do {
      if (this.tokens.isName('in') || this.tokens.isOperator('=', ')')) break;
      items.push(this.#oneTarget());
      isSeveral ||= this.tokens.isOperator(',');
    } while (this.tokens.skipOperator(','));
    if (items.length === 0) this.tokens.fail('a name');
    return isSeveral ? { kind: 'targets', items } : (items[0] as Target);
  }

  #oneTarget(): Target {
    const { tokens } = this;
    if (tokens.skipOperator('(')) {
      const inside = tokens.within(() => this.#target());
      tokens.expectOperator(')');
      return inside;
    }
    const name = tokens.expectName();
    if (/^([tT]rue|[fF]alse|[nN]one)$/.test(name))
      throw new Error(`'${name}' cannot be assigned to`);
    if (!tokens.skipOperator('.')) return { kind: 'name', name };
    return { kind: 'attribute', object: name, name: tokens.expectName() };
  }

  #set(): Statement {
    const target = this.#target();
    if (this.tokens.skipOperator('=')) {
      const value = this.#list('%}');
      this.tokens.expect('%}');
      return { kind: 'set', target, value };
    }
    const filters = this.tokens.skipOperator('|') ? this.#filters() : [];
    this.tokens.expect('%}');
    return { kind: 'set block', target, filters, body: this.#bodyTo('endset') };
  }

  #filters(): BlockFilter[] {
    const filters: BlockFilter[] = [];
    do filters.push(this.#expressions.filter());
    while (this.tokens.skipOperator('|'));
    return filters;
  }

  #macro(): Statement {
    const name = this.tokens.expectName();
    return { kind: 'macro', name, signature: this.#signature(this.#parameters(), 'endmacro') };
  }

  #call(): Statement {
    const parameters = this.tokens.isOperator('(') ? this.#parameters() : [];
    const call = this.#expressions.expression();
    if (call.kind !== 'call') throw new Error('{% call %} is of a macro with brackets');
    return { kind: 'call block', call, signature: this.#signature(parameters, 'endcall') };
  }

  #parameters(): Signature['parameters'] {
    const { tokens } = this;
    const parameters: Signature['parameters'] = [];
    tokens.expectOperator('(');
    while (!tokens.skipOperator(')')) {
      if (parameters.length > 0) tokens.expectOperator(',');
      const name = tokens.expectName();
      const otherwise = tokens.skipOperator('=') ? this.#expressions.expression() : undefined;
      if (!otherwise && parameters.at(-1)?.otherwise) tokens.fail('a default');
      parameters.push({ name, otherwise });
    }
    return parameters;
  }

  /** The rest of a tag, and what it encloses. */
  #signature(parameters: Signature['parameters'], end: string): Signature {
    const uses = new Set<string>();
    this.tokens.expect('%}');
    this.#expressions.uses.push(uses);
    const body = this.#outsideLoops(() => this.#bodyTo(end));
    this.#expressions.uses.pop();
    return { parameters, body, uses };
  }

  /** What is called later has no loop around it to be left. */
  #outsideLoops<T>(read: () => T): T {
    const loops = this.#loops;
    this.#loops = 0;
    const found = read();
    this.#loops = loops;
    return found;
  }

  #with(): Statement {
    const { tokens } = this;
    const names: [Target, Expression][] = [];
    while (tokens.current.kind !== '%}') {
      if (names.length > 0) tokens.expectOperator(',');
      const target = this.#oneTarget();
      tokens.expectOperator('=');
      names.push([target, this.#expressions.expression()]);
    }
    tokens.expect('%}');
    return { kind: 'with', names, body: this.#bodyTo('endwith') };
  }
}
