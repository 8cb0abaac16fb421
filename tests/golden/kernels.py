#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Golden kernel cases: random inputs through the recurrences as the papers state them, in float64.

    python3 kernels.py kernels based comba delta_rule gated_delta_rule gated_delta_rule_grouped gdn2 gla hgrn2 kda lightning \
        linear_attn longhorn mamba2 mlstm retention rls rwkv6 rwkv7 simple_gla mamba1 ttt_linear_mb1 ttt_linear_mb16 titans titans_mb16 \
        least_squares feature_map_{identity,elu_plus_one,relu,silu,hedgehog,dijiang,taylor,dpfp}

Writes <op>_T<tokens>.bin (little-endian float32 arrays back to back) for the operators named, or all, and index.txt with a
line for each array: operator, tokens, name, offset and length in floats.

Layout of every array: token-major, C order.  q,k: [T,H,K]; v,o: [T,H,V]; per-head scalars: [T,H];
states: [H,K,V] (S[h,k,v]; o_t = sum_k q_t[k] S_t[k,v]) unless the recurrence says otherwise. q is multiplied by K^-0.5 there.
Every operator starts from the given initial state and reports the state after the last token.
"""
import itertools
import os
import sys

import numpy as np

H, K, V = 2, 16, 24
TS = (1, 5, 64, 200)
sig = lambda x: 1 / (1 + np.exp(-x))
logsig = lambda x: -np.logaddexp(0, -x)
l2 = lambda x: x / np.sqrt((x * x).sum(-1, keepdims=True) + 1e-6)
f32 = lambda x: np.asarray(x, np.float32).astype(np.float64)   # inputs are exactly representable in float32


def gated_delta_rule(q, k, v, g, beta, S, scale):
    o = np.empty_like(v)
    S = S.copy()
    for t in range(len(q)):
        S *= np.exp(g[t])[:, None, None]
        d = beta[t][:, None] * (v[t] - np.einsum("hkv,hk->hv", S, k[t]))
        S += np.einsum("hk,hv->hkv", k[t], d)
        o[t] = np.einsum("hkv,hk->hv", S, q[t] * scale)
    return o, S


def delta_rule(q, k, v, beta, S, scale):
    return gated_delta_rule(q, k, v, np.zeros(q.shape[:2]), beta, S, scale)


def kda(q, k, v, g, beta, S, scale):                      # g: [T,H,K] log decay per key channel
    o = np.empty_like(v)
    S = S.copy()
    for t in range(len(q)):
        S *= np.exp(g[t])[:, :, None]
        d = beta[t][:, None] * (v[t] - np.einsum("hkv,hk->hv", S, k[t]))
        S += np.einsum("hk,hv->hkv", k[t], d)
        o[t] = np.einsum("hkv,hk->hv", S, q[t] * scale)
    return o, S


def gla(q, k, v, g, S, scale):                            # g: [T,H,K]
    o = np.empty_like(v)
    S = S.copy()
    for t in range(len(q)):
        S = S * np.exp(g[t])[:, :, None] + np.einsum("hk,hv->hkv", k[t], v[t])
        o[t] = np.einsum("hkv,hk->hv", S, q[t] * scale)
    return o, S


def simple_gla(q, k, v, g, S, scale):                     # g: [T,H]
    return gla(q, k, v, np.repeat(g[:, :, None], q.shape[2], 2), S, scale)


def retention(q, k, v, S, scale):                         # fixed decay 1 - 2^(-5-h)
    g = np.log(1 - 2.0 ** (-5 - np.arange(q.shape[1])))
    return simple_gla(q, k, v, np.tile(g, (len(q), 1)), S, scale)


def rwkv6(q, k, v, w, u, S, scale):                       # q = receptance, w: [T,H,K] log decay, u: [H,K] bonus
    o = np.empty_like(v)
    S = S.copy()
    for t in range(len(q)):
        kv = np.einsum("hk,hv->hkv", k[t], v[t])
        o[t] = np.einsum("hkv,hk->hv", S + u[:, :, None] * kv, q[t] * scale)
        S = S * np.exp(w[t])[:, :, None] + kv
    return o, S


def rwkv7(q, k, v, w, a, b, S, scale):                    # DPLR: S = diag(exp w) S + b (a^T S) + k v^T
    o = np.empty_like(v)
    S = S.copy()
    for t in range(len(q)):
        S = S * np.exp(w[t])[:, :, None] + np.einsum("hk,hv->hkv", b[t], np.einsum("hkv,hk->hv", S, a[t])) + np.einsum("hk,hv->hkv", k[t], v[t])
        o[t] = np.einsum("hkv,hk->hv", S, q[t] * scale)
    return o, S


def linear_attn(q, k, v, S, z, scale):                    # z: [H,K] running key sum, normalised output
    o = np.empty_like(v)
    S, z = S.copy(), z.copy()
    for t in range(len(q)):
        S += np.einsum("hk,hv->hkv", k[t], v[t])
        z += k[t]
        qs = q[t] * scale
        o[t] = np.einsum("hkv,hk->hv", S, qs) / ((qs * z).sum(-1)[:, None] + 1e-10)
    return o, S, z


def mlstm(q, k, v, i, f, C, n, m, scale, eps=1e-6):       # i, f: [T,H] pre-activations; log f = logsigmoid(f)
    o = np.empty_like(v)
    C, n, m = C.copy(), n.copy(), m.copy()
    for t in range(len(q)):
        lf = logsig(f[t])
        mn = np.maximum(lf + m, i[t])
        fp, ip = np.exp(lf + m - mn), np.exp(i[t] - mn)
        C = fp[:, None, None] * C + ip[:, None, None] * np.einsum("hk,hv->hkv", k[t], v[t])
        n = fp[:, None] * n + ip[:, None] * k[t]
        qs = q[t] * scale
        den = np.maximum(np.abs((n * qs).sum(-1)), np.exp(-mn)) + eps
        o[t] = np.einsum("hkv,hk->hv", C, qs) / den[:, None]
        m = mn
    return o, C, n, m


def based(q, k, v, scale):                                # 2nd-order Taylor feature map, causal, normalised
    o = np.empty_like(v)
    for h in range(q.shape[1]):
        s = (q[:, h] * scale) @ k[:, h].T
        a = np.tril(1 + s + 0.5 * s * s)
        o[:, h] = a @ v[:, h] / (a.sum(-1, keepdims=True) + 1e-6)
    return o


def ttt_linear(q, k, v, w, b, eta, S, sb, scale, mb, eps=1e-6):   # w,b: [H,D] layer norm; eta: [T,H]; K == V == D
    T, Hn, D = q.shape
    o = np.empty_like(v)
    S, sb = S.copy(), sb.copy()                            # [H,D,D], [H,D]
    for t0 in range(0, T, mb):
        for h in range(Hn):
            qi, ki, vi, ei = q[t0:t0 + mb, h] * scale, k[t0:t0 + mb, h], v[t0:t0 + mb, h], eta[t0:t0 + mb, h][:, None]
            kh = ki @ S[h] + sb[h]
            mu = kh.mean(-1, keepdims=True)
            rstd = np.sqrt(kh.var(-1, keepdims=True) + eps)
            hat = (kh - mu) / rstd
            g = (w[h] * hat + b[h] - (vi - ki)) * w[h]
            vn = (D * g - g.sum(-1, keepdims=True) - hat * (g * hat).sum(-1, keepdims=True)) / (rstd * D)
            att = np.tril(qi @ ki.T)
            n = len(qi)
            oi = qi @ S[h] - (ei * att) @ vn + sb[h] - np.tril(np.repeat(ei, n, 1)) @ vn
            S[h] = S[h] - (ei[-1] * ki).T @ vn
            sb[h] = sb[h] - (ei[-1] * vn).sum(0)
            mu = oi.mean(-1, keepdims=True)
            o[t0:t0 + mb, h] = oi + (oi - mu) / np.sqrt(oi.var(-1, keepdims=True) + eps) * w[h] + b[h]
    return o, S, sb


def mamba1(x, dt, A, B, C, D, S):                         # x,dt: [T,E]; A: [E,N] (<0); B,C: [T,N]; D: [E]; S: [E,N]
    y = np.empty_like(x)
    S = S.copy()
    for t in range(len(x)):
        S = np.exp(dt[t][:, None] * A) * S + (dt[t] * x[t])[:, None] * B[t][None]
        y[t] = S @ C[t] + D * x[t]
    return y, S


def mamba2(x, dt, A, B, C, D, S):                         # x: [T,H,P]; dt: [T,H]; A,D: [H]; B,C: [T,N] (one group); S: [H,P,N]
    y = np.empty_like(x)
    S = S.copy()
    for t in range(len(x)):
        S = np.exp(dt[t] * A)[:, None, None] * S + np.einsum("hp,n->hpn", dt[t][:, None] * x[t], B[t])
        y[t] = np.einsum("hpn,n->hp", S, C[t]) + D[:, None] * x[t]
    return y, S


def hgrn(x, g, S):                                        # x,g: [T,D]; h = exp(g) h + x
    y = np.empty_like(x)
    S = S.copy()
    for t in range(len(x)):
        S = np.exp(g[t]) * S + x[t]
        y[t] = S
    return y, S


def lightning(q, k, v, S, layer, layers):                 # MiniMax-01: fixed decay, less of it in later layers; q not scaled
    slope = 2.0 ** (-8 * (np.arange(q.shape[1]) + 1) / q.shape[1]) * (1 - layer / (layers - 1) + 1e-5)
    return simple_gla(q, k, v, np.tile(-slope, (len(q), 1)), S, 1.0)


def hgrn2(q, f, v, S):                                    # forget gate f: [T,H,K] in (0, 1); what it forgets makes room for v
    o = np.empty_like(v)
    S = S.copy()
    for t in range(len(q)):
        S = f[t][:, :, None] * S + np.einsum("hk,hv->hkv", 1 - f[t], v[t])
        o[t] = np.einsum("hkv,hk->hv", S, q[t])
    return o, S


def comba(q, k, v, p, g, beta, S, scale):                 # S = S (alpha - beta p k^T) + beta v k^T: recalls before the decay
    o = np.empty_like(v)
    S = S.copy()
    for t in range(len(q)):
        d = beta[t][:, None] * (v[t] - np.einsum("hkv,hk->hv", S, p[t]))
        S = S * np.exp(g[t])[:, None, None] + np.einsum("hk,hv->hkv", k[t], d)
        o[t] = np.einsum("hkv,hk->hv", S, q[t] * scale)
    return o, S


def gdn2(q, k, v, g, b, w, S, scale):                     # g, b (erase gate): [T,H,K]; w (write gate): [T,H,V]
    o = np.empty_like(v)
    S = S.copy()
    for t in range(len(q)):
        S *= np.exp(g[t])[:, :, None]
        d = w[t] * v[t] - np.einsum("hkv,hk->hv", S, b[t] * k[t])
        S += np.einsum("hk,hv->hkv", k[t], d)
        o[t] = np.einsum("hkv,hk->hv", S, q[t] * scale)
    return o, S


def longhorn(q, k, v, beta, S):                           # argmin |X - S|^2 + beta |X^T k - v|^2, by its normal equations
    o = np.empty_like(v)
    S = S.copy()
    for t in range(len(q)):
        for h in range(q.shape[1]):
            kk = beta[t, h] * np.outer(k[t, h], k[t, h])
            S[h] = np.linalg.solve(np.eye(len(kk)) + kk, S[h] + beta[t, h] * np.outer(k[t, h], v[t, h]))
        o[t] = np.einsum("hkv,hk->hv", S, q[t])
    return o, S


def rls(q, k, v, delta):                                  # ridge regression on all that was read so far, solved at each token
    o = np.empty_like(v)
    for t in range(len(q)):
        for h in range(q.shape[1]):
            kt, vt = k[:t + 1, h], v[:t + 1, h]
            o[t, h] = q[t, h] @ np.linalg.solve(kt.T @ kt + delta * np.eye(k.shape[2]), kt.T @ vt)
    return o


def rls_gain(k, delta):                                   # P k / (1 + k.P k), P the inverse of sum k k^T + delta I before k
    gain = np.empty_like(k)
    for h in range(k.shape[1]):
        P = np.eye(k.shape[2]) / delta
        for t in range(len(k)):
            Pk = P @ k[t, h]
            gain[t, h] = Pk / (1 + k[t, h] @ Pk)
            P -= np.outer(gain[t, h], Pk)
    return gain


def rwkv4(k, v, w, u, aa, bb, pp):                        # [T,D]; w,u: [D] (decay = exp(-exp-ed w) given as w < 0)
    o = np.empty_like(v)
    aa, bb, pp = aa.copy(), bb.copy(), pp.copy()
    for t in range(len(k)):
        ww = u + k[t]
        p = np.maximum(pp, ww)
        e1, e2 = np.exp(pp - p), np.exp(ww - p)
        o[t] = (e1 * aa + e2 * v[t]) / (e1 * bb + e2)
        ww = pp + w
        p = np.maximum(ww, k[t])
        e1, e2 = np.exp(ww - p), np.exp(k[t] - p)
        aa, bb, pp = e1 * aa + e2 * v[t], e1 * bb + e2, p
    return o, aa, bb, pp


def cases():
    rng = np.random.default_rng(20260901)
    n = lambda *s, sc=1.0: f32(rng.standard_normal(s) * sc)
    u = lambda lo, hi, *s: f32(rng.uniform(lo, hi, s))
    sc = K ** -0.5
    for T in TS:
        q, k, v = n(T, H, K), n(T, H, K), n(T, H, V)
        qn, kn = f32(l2(q)), f32(l2(k))
        S = n(H, K, V, sc=0.3)
        g, gk, beta = -u(0.001, 0.5, T, H), -u(0.001, 0.5, T, H, K), u(0.05, 0.98, T, H)
        I = dict(q=qn, k=kn, v=v)
        o, s = gated_delta_rule(qn, kn, v, g, beta, S, sc)
        yield "gated_delta_rule", T, dict(I, g=g, beta=beta, state_in=S), dict(o=o, state_out=s), dict(scale=sc)
        o, s = delta_rule(qn, kn, v, beta, S, sc)
        yield "delta_rule", T, dict(I, beta=beta, state_in=S), dict(o=o, state_out=s), dict(scale=sc)
        o, s = kda(qn, kn, v, gk, beta, S, sc)
        yield "kda", T, dict(I, g=gk, beta=beta, state_in=S), dict(o=o, state_out=s), dict(scale=sc)
        I = dict(q=q, k=k, v=v)
        o, s = gla(q, k, v, gk, S, sc)
        yield "gla", T, dict(I, g=gk, state_in=S), dict(o=o, state_out=s), dict(scale=sc)
        o, s = simple_gla(q, k, v, g, S, sc)
        yield "simple_gla", T, dict(I, g=g, state_in=S), dict(o=o, state_out=s), dict(scale=sc)
        o, s = retention(q, k, v, S, sc)
        yield "retention", T, dict(I, state_in=S), dict(o=o, state_out=s), dict(scale=sc)
        bonus = n(H, K)
        o, s = rwkv6(q, k, v, gk, bonus, S, 1.0)
        yield "rwkv6", T, dict(r=q, k=k, v=v, w=gk, u=bonus, state_in=S), dict(o=o, state_out=s), dict(scale=1.0)
        eta = u(0.05, 0.95, T, H, K)
        a, b = f32(-kn), f32(kn * eta)
        o, s = rwkv7(q, k, v, gk, a, b, S, 1.0)
        yield "rwkv7", T, dict(r=q, k=k, v=v, w=gk, a=a, b=b, state_in=S), dict(o=o, state_out=s), dict(scale=1.0)
        qp, kp = f32(np.where(q > 0, q, np.expm1(np.minimum(q, 0))) + 1), f32(np.where(k > 0, k, np.expm1(np.minimum(k, 0))) + 1)
        z, Sp = u(0.5, 2, H, K), u(0, 1, H, K, V)
        o, s, z2 = linear_attn(qp, kp, v, Sp, z, sc)
        yield "linear_attn", T, dict(q=qp, k=kp, v=v, state_in=Sp, z_in=z), dict(o=o, state_out=s, z_out=z2), dict(scale=sc, eps=1e-10)
        ig, fg = n(T, H, sc=2.0), n(T, H, sc=2.0) + 2
        fg = f32(fg)
        n0, m0 = n(H, K, sc=0.3), n(H)
        o, C, n1, m1 = mlstm(q, k, v, ig, fg, S, n0, m0, sc)
        yield "mlstm", T, dict(q=q, k=k, v=v, i=ig, f=fg, C_in=S, n_in=n0, m_in=m0), dict(o=o, C_out=C, n_out=n1, m_out=m1), dict(scale=sc, eps=1e-6)
        o = based(q, k, v, sc)
        yield "based", T, dict(q=q, k=k, v=v), dict(o=o), dict(scale=sc, eps=1e-6)
        vd = n(T, H, K)
        w, b, eta = f32(1 + n(H, K, sc=0.1)), n(H, K, sc=0.1), u(0.01, 0.2, T, H)
        S0, sb = n(H, K, K, sc=0.1), n(H, K, sc=0.1)
        for mb in (1, 16):
            if T % mb == 0 or T == 200 and mb == 16:
                Tm = T // mb * mb
                o, s, s2 = ttt_linear(qn[:Tm], kn[:Tm], vd[:Tm], w, b, eta[:Tm], S0, sb, sc, mb)
                yield f"ttt_linear_mb{mb}", Tm, dict(q=qn[:Tm], k=kn[:Tm], v=vd[:Tm], w=w, b=b, eta=eta[:Tm], state_in=S0, bias_in=sb), dict(o=o, state_out=s, bias_out=s2), dict(scale=sc, mini_batch=mb, eps=1e-6)
        E, N, P = 16, 8, 12
        x, dt, A = n(T, E), u(0.01, 0.5, T, E), -u(0.2, 4, E, N)
        B, C, D, s0 = n(T, N), n(T, N), n(E), n(E, N, sc=0.3)
        y, s = mamba1(x, dt, A, B, C, D, s0)
        yield "mamba1", T, dict(x=x, dt=dt, A=A, B=B, C=C, D=D, state_in=s0), dict(y=y, state_out=s), {}
        x, dt, A, D, s0 = n(T, H, P), u(0.01, 0.5, T, H), -u(0.2, 4, H), n(H), n(H, P, N, sc=0.3)
        y, s = mamba2(x, dt, A, B, C, D, s0)
        yield "mamba2", T, dict(x=x, dt=dt, A=A, B=B, C=C, D=D, state_in=s0), dict(y=y, state_out=s), {}
        x, g, s0 = n(T, E), -u(0.001, 2, T, E), n(E)
        y, s = hgrn(x, g, s0)
        yield "hgrn", T, dict(x=x, g=g, state_in=s0), dict(y=y, state_out=s), {}
        kk, vv, w, uu = n(T, E), n(T, E), -u(0.01, 2, E), n(E)
        o, aa, bb, pp = rwkv4(kk, vv, w, uu, np.zeros(E), np.zeros(E), np.full(E, -1e30))
        yield "rwkv4", T, dict(k=kk, v=vv, w=w, u=uu), dict(o=o, aa_out=aa, bb_out=bb, pp_out=pp), dict(note="aa=bb=0, pp=-1e30 at the start")
        # gated delta rule with grouped value heads: 2 key heads, 4 value heads (value head h uses key head h // 2)
        v4, g4, b4, S4 = n(T, 2 * H, V), -u(0.001, 0.5, T, 2 * H), u(0.05, 0.98, T, 2 * H), n(2 * H, K, V, sc=0.3)
        o, s = gated_delta_rule(np.repeat(qn, 2, 1), np.repeat(kn, 2, 1), v4, g4, b4, S4, sc)
        yield "gated_delta_rule_grouped", T, dict(q=qn, k=kn, v=v4, g=g4, beta=b4, state_in=S4), dict(o=o, state_out=s), dict(scale=sc, key_heads=H, value_heads=2 * H)


def more_cases():                                         # draws of their own, so that no earlier case changes
    rng = np.random.default_rng(20261001)
    n = lambda *s, sc=1.0: f32(rng.standard_normal(s) * sc)
    u = lambda lo, hi, *s: f32(rng.uniform(lo, hi, s))
    sc = K ** -0.5
    for T in TS[:3]:
        q, k, v, S = n(T, H, K), n(T, H, K), n(T, H, V), n(H, K, V, sc=0.3)
        qn, kn = f32(l2(q)), f32(l2(k))
        g, gk, beta = -u(0.001, 0.5, T, H), -u(0.001, 0.5, T, H, K), u(0.05, 0.98, T, H)
        o, s = lightning(q, k, v, S, 1, 4)
        yield "lightning", T, dict(q=q, k=k, v=v, state_in=S), dict(o=o, state_out=s), dict(layer=1, layers=4)
        f = u(0.5, 0.999, T, H, K)
        o, s = hgrn2(q, f, v, S)
        yield "hgrn2", T, dict(q=q, f=f, v=v, state_in=S), dict(o=o, state_out=s), {}
        p = f32(kn * sig(n(H))[:, None])
        o, s = comba(qn, kn, v, p, g, beta, S, sc)
        yield "comba", T, dict(q=qn, k=kn, v=v, p=p, g=g, beta=beta, state_in=S), dict(o=o, state_out=s), dict(scale=sc)
        b, w = u(0.05, 0.95, T, H, K), u(0.05, 0.95, T, H, V)
        o, s = gdn2(qn, kn, v, gk, b, w, S, sc)
        yield "gdn2", T, dict(q=qn, k=kn, v=v, g=gk, b=b, w=w, state_in=S), dict(o=o, state_out=s), dict(scale=sc)
        o, s = longhorn(q, k, v, beta, S)
        yield "longhorn", T, dict(q=q, k=k, v=v, beta=beta, state_in=S), dict(o=o, state_out=s), {}
        o = rls(q, k, v, 0.5)
        yield "rls", T, dict(q=q, k=k, v=v, gain=rls_gain(k, 0.5)), dict(o=o), dict(delta=0.5)


# Mechanisms that are not the general cell, with draws of their own: the cases above keep theirs.

def feature_map(name, x, W, b, M, nu):                    # x: [T,H,K]; W: [H,K,K] (rows are outputs), b: [H,K]; M: [K,K]
    softmax = lambda y: np.exp(y - y.max(-1, keepdims=True)) / np.exp(y - y.max(-1, keepdims=True)).sum(-1, keepdims=True)
    d = x.shape[-1]
    if name == "identity":
        return x
    if name == "elu_plus_one":
        return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
    if name == "relu":
        return np.maximum(x, 0)
    if name == "silu":
        return x * sig(x)
    if name == "hedgehog":
        y = 2 * (np.einsum("hij,thj->thi", W, x) + b)
        return softmax(np.concatenate([y, -y], -1))
    if name == "dijiang":
        return softmax(x @ M)
    if name == "taylor":                                  # 1, x / d^(1/4), upper triangle of x x^T / sqrt(2 d), sqrt 2 off the diagonal
        i, j = np.triu_indices(d)
        second = x[..., i] * x[..., j] / np.sqrt(2 * d) * np.where(i == j, 1, np.sqrt(2))
        return np.concatenate([np.ones_like(x[..., :1]), x / d ** 0.25, second, np.zeros(x.shape[:-1] + (-(1 + d + len(i)) % 4,))], -1)
    if name == "dpfp":
        r = np.maximum(np.concatenate([x, -x], -1), 0)
        return np.concatenate([r * np.roll(r, j, -1) for j in range(1, nu + 1)], -1)


def dijiang_matrix(diagonal):                             # C diag(w), C[k,n] the orthonormal DCT-II of unit vector n at frequency k
    d = len(diagonal)
    k, n = np.mgrid[:d, :d]
    return np.where(k == 0, np.sqrt(1 / d), np.sqrt(2 / d)) * np.cos(np.pi * (2 * n + 1) * k / (2 * d)) * diagonal


def titans(q, k, v, alpha, eta, theta, M, S, mb=1):       # alpha, eta, theta: [T,H]; M memory, S momentum: [H,K,V]
    o = np.empty_like(v)
    M, S = M.copy(), S.copy()
    for t in range(len(q)):
        start = M.copy() if t % mb == 0 else start        # where the gradients of a mini-batch are taken
        error = np.einsum("hkv,hk->hv", start, k[t]) - v[t]
        gradient = np.einsum("hk,hv->hkv", k[t], error)   # of |M^T k - v|^2 / 2
        S = eta[t][:, None, None] * S - theta[t][:, None, None] * gradient
        M = (1 - alpha[t])[:, None, None] * M + S
        o[t] = np.einsum("hkv,hk->hv", M, q[t])
    return o, M, S


def least_squares(k, lam, delta):                         # lam: [T,H]; the gain and P from the weighted normal equations, not the recursion
    T, Hn, D = k.shape
    gain, P = np.empty_like(k), np.empty((Hn, D, D))
    for h in range(Hn):
        A = delta * np.eye(D)
        for t in range(T):
            A = lam[t, h] * A + np.outer(k[t, h], k[t, h])
            gain[t, h] = np.linalg.solve(A, k[t, h])
        P[h] = np.linalg.inv(A)
    return gain, P


def other_cases():
    rng = np.random.default_rng(20261121)
    n = lambda *s, sc=1.0: f32(rng.standard_normal(s) * sc)
    u = lambda lo, hi, *s: f32(rng.uniform(lo, hi, s))
    for T in TS:
        q, k, v = n(T, H, K, sc=0.25), f32(l2(n(T, H, K))), n(T, H, V)
        alpha, eta, theta = u(0.001, 0.2, T, H), u(0.1, 0.95, T, H), u(0.05, 0.6, T, H)
        M, S = n(H, K, V, sc=0.3), n(H, K, V, sc=0.1)
        I = dict(q=q, k=k, v=v, alpha=alpha, eta=eta, theta=theta)
        for mb, name in ((1, "titans"), (16, "titans_mb16")):
            Tm = T // mb * mb
            if Tm:
                cut = {array: x[:Tm] for array, x in I.items()}
                o, M1, S1 = titans(**cut, M=M, S=S, mb=mb)
                yield name, Tm, dict(cut, memory_in=M, momentum_in=S), dict(o=o, memory_out=M1, momentum_out=S1), dict(mini_batch=mb)
        k, lam = n(T, H, K), u(0.97, 1, T, H)
        gain, P = least_squares(k, lam, 0.5)
        yield "least_squares", T, dict(k=k, lam=lam), dict(gain=gain, P_out=P), dict(delta=0.5)
    T = 5
    x, W, b, w = n(T, H, K), n(H, K, K, sc=0.3), n(H, K, sc=0.1), n(K)
    M, nu = dijiang_matrix(w), 3
    for name in ("identity", "elu_plus_one", "relu", "silu", "hedgehog", "dijiang", "taylor", "dpfp"):
        yield f"feature_map_{name}", T, dict(x=x, W=W, b=b, diagonal=w), dict(features=feature_map(name, x, W, b, M, nu)), dict(nu=nu)


def main():
    out, kept = sys.argv[1], sys.argv[2:]
    os.makedirs(out, exist_ok=True)
    index = []
    for name, T, i, o, _ in itertools.chain(cases(), more_cases(), other_cases()):
        if kept and name not in kept:
            continue
        offset = 0
        with open(os.path.join(out, f"{name}_T{T}.bin"), "wb") as f:
            for array, x in {**i, **o}.items():
                f.write(np.ascontiguousarray(x, "<f4").tobytes())
                index.append(f"{name} {T} {array} {offset} {x.size}\n")
                offset += x.size
    open(os.path.join(out, "index.txt"), "w").writelines(index)


if __name__ == "__main__":
    main()
